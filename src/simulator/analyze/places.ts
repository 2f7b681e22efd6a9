/**
 * Source lines of a profile. A place is one (file, line); several frames share a place when a helper is called from
 * several sites. Gives texts, call stacks and loop iterations; attributes nothing.
 */
import type { Profile } from '../profile/profile';
import { statementAt } from './statements';

export interface Position {
  file: string;
  /** 1-based. */
  line: number;
}

export interface StackEntry extends Position {
  function: string;
}

export interface FramePlaces {
  /** Index of a frame -> place. */
  ofFrame: Uint32Array;
  /** Index in `profile.files`, per place. */
  file: Uint32Array;
  /** 1-based, per place. */
  line: Uint32Array;
  count: number;
}

/** Numbers the (file, line) pairs in the order of their first frame. */
export function places(p: Profile): FramePlaces {
  const frames = p.frames.line.length;
  const ofFrame = new Uint32Array(frames);
  const known = new Map<number, number>();
  const first: number[] = [];
  for (let f = 0; f < frames; f++) {
    const key = p.frames.file[f] * 2 ** 32 + p.frames.line[f];
    let place = known.get(key);
    if (place === undefined) {
      place = first.push(f) - 1;
      known.set(key, place);
    }
    ofFrame[f] = place;
  }
  return {
    ofFrame,
    file: Uint32Array.from(first, f => p.frames.file[f]),
    line: Uint32Array.from(first, f => p.frames.line[f]),
    count: first.length,
  };
}

export function framePosition(p: Profile, frame: number): Position {
  return { file: p.files[p.frames.file[frame]].path, line: p.frames.line[frame] };
}

/** The file that all events come from; null where there are several, or none. */
export function onlyFile(p: Profile): string | null {
  const used = new Set(p.frames.file.filter((_, frame) => hasSource(p, frame)));
  return used.size === 1 ? p.files[[...used][0]].path : null;
}

/** Where the kernel begins; null for a capture that does not say it. */
export function kernelPosition(p: Profile): Position | null {
  const root = p.frames.parent.findIndex((parent, f) => parent < 0 && p.frames.line[f] > 0);
  return root < 0 ? null : framePosition(p, root);
}

/** false for events of a capture that does not say where they come from: those have a frame with line 0. */
export const hasSource = (p: Profile, frame: number) => p.frames.line[frame] > 0;

/** Innermost first: the line itself, then its callers out to the kernel function. */
export function callStack(p: Profile, frame: number): StackEntry[] {
  const stack: StackEntry[] = [];
  for (let f = frame; f >= 0; f = p.frames.parent[f]) stack.push({ ...framePosition(p, f), function: p.strings[p.frames.function[f]] });
  return stack;
}

/** Function that a line belongs to, by file and line; empty for a line without events. */
export function functionsOfLines(p: Profile): (file: string, line: number) => string {
  const known = new Map<string, string>();
  for (let f = 0; f < p.frames.line.length; f++) {
    const { file, line } = framePosition(p, f);
    known.set(`${line} ${file}`, p.strings[p.frames.function[f]]);
  }
  return (file, line) => known.get(`${line} ${file}`) ?? '';
}

/** `i=3, j=1`, outermost loop first; empty outside loops. */
export function iterationText(p: Pick<Profile, 'iterations' | 'strings'>, iteration: number): string {
  const parts: string[] = [];
  for (let i = iteration; i >= 0; i = p.iterations.parent[i]) parts.push(`${p.strings[p.iterations.name[i]]}=${p.iterations.value[i]}`);
  return parts.reverse().join(', ');
}

/** A reader of the statements that begin on source lines; it splits each file once. Empty for a line the file does not have. */
export function statementReader(p: Profile): (file: number, line: number) => string {
  const split = new Map<number, string[]>();
  return (file, line) => {
    let lines = split.get(file);
    if (!lines) {
      lines = p.files[file].text.split(/\r\n|\r|\n/);
      split.set(file, lines);
    }
    return statementAt(lines, line).text;
  };
}
