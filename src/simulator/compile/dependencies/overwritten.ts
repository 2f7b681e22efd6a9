/**
 * Finds tiles that a kernel placed over each other and that are in use at the same time: an instruction reads one tile, but another one
 * was written to the same bytes since. Values are computed with tensors that do not share memory, so wrong values do not show this error.
 */

import type { Program } from '../../program/program';
import type { Check } from '../../vocabulary/check';
import { type Compiled, READ } from '../compiled';
import { type Patterns, PSUM } from '../patterns';
import type { Boxes } from './boxes';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

interface Write {
  tensor: number;
  box: number;
  /** Program instruction. */
  origin: number;
}

const AXES = 2;

export function overwritten(program: Program, patterns: Patterns, boxes: Boxes, code: Code): Check[] {
  return patterns.aliases.none ? [] : new Search(program, patterns, boxes, code).run();
}

class Search {
  /** By group: writes that no later one covers, in their order. */
  private readonly writes = new Map<number, Write[]>();
  private readonly written = new Set<number>();
  private readonly checks: Check[] = [];
  private readonly said = new Set<string>();

  constructor(
    private readonly program: Program,
    private readonly patterns: Patterns,
    private readonly boxes: Boxes,
    private readonly code: Code,
  ) {}

  run(): Check[] {
    const { accessStart, track, origin } = this.code.instructions;
    const { pattern, role } = this.code.accesses;
    for (let i = 0; i < track.length; i++) {
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) if (role[a] === READ) this.read(pattern[a], origin[i]);
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) if (role[a] !== READ) this.write(pattern[a], origin[i]);
    }
    return this.checks;
  }

  private write(pattern: number, origin: number) {
    const tensor = this.patterns.tensor(pattern);
    if (!this.patterns.aliases.shares(tensor)) return;
    const box = this.boxes.of(pattern);
    const list = this.writes.get(this.patterns.aliases.home(tensor)) ?? [];
    const kept = list.filter(other => !this.boxes.contains(box, other.box, AXES));
    kept.push({ tensor, box, origin });
    this.writes.set(this.patterns.aliases.home(tensor), kept);
    this.written.add(tensor);
  }

  private read(pattern: number, origin: number) {
    const tensor = this.patterns.tensor(pattern);
    // A tile that was never written is a view of the others' content.
    if (!this.patterns.aliases.shares(tensor) || !this.written.has(tensor)) return;
    const box = this.boxes.of(pattern);
    const list = this.writes.get(this.patterns.aliases.home(tensor)) ?? [];
    for (let k = list.length - 1; k >= 0; k--) {
      const other = list[k];
      if (!this.boxes.overlap(box, other.box, AXES)) continue;
      // Its own newer writes: the bytes below them are its own, and boxes cannot distinguish the rest.
      if (other.tensor === tensor) return;
      this.report(tensor, other, origin);
      return;
    }
  }

  private report(tensor: number, other: Write, origin: number) {
    const { instructions, frames, files, operations } = this.program;
    const line = (frame: number) => frames.line[frame];
    const frame = instructions.frame[origin];
    const key = `${frame} ${instructions.frame[other.origin]} ${this.patterns.frame(tensor)}`;
    if (this.said.has(key)) return;
    this.said.add(key);
    const message =
      `${operations[instructions.operation[origin]]} reads ${this.place(tensor)}, where line ${line(instructions.frame[other.origin])} ` +
      `has written ${this.place(other.tensor)}: the two tiles live at the same time in the same place`;
    this.checks.push({ severity: 'error', message, file: files[frames.file[frame]].path, line: line(frame) });
  }

  private place(tensor: number): string {
    const { patterns, program } = this;
    const from = patterns.chosenAddress(tensor);
    const memory = patterns.space(tensor) === PSUM ? 'PSUM' : 'SBUF';
    const to = from + patterns.bytesPerPartition(tensor);
    return `${patterns.name(tensor)} (line ${program.frames.line[patterns.frame(tensor)]}, ${memory} bytes ${from} to ${to - 1})`;
  }
}
