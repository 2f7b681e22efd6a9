/**
 * The critical path to be read: its events as steps by line and by what they do, and what repeats folded: 24 × (load x → ACTIVATE EXP → store y).
 * Folding looks at which steps follow each other, not at loops: an iteration that goes another way stands by itself.
 */
import { DIRECTIONS, type EventId, type Profile, STALL_REASONS, type StallReason } from '../profile/profile';
import { collectiveOf, resourceOf } from './collectives';
import type { CriticalPath } from './criticalPath';
import { eventValue, isTransfer, transferRow } from './eventAccess';
import { operandText } from './operandText';
import { type Position, places } from './places';

export interface PathStep extends Position {
  /** `load x`, `exp`, `matmul`. */
  name: string;
  /** Engine, or `DMA`; empty where nothing was recorded. */
  resource: string;
  /** On the path, running and waiting, of all repetitions. */
  ns: number;
  waitsNs: Partial<Record<StallReason, number>>;
}

export interface PathRepeat {
  times: number;
  pieces: PathPiece[];
  ns: number;
}

/** Neighbours too short to be shown one by one. */
export interface PathRest {
  steps: number;
  ns: number;
}

export type PathPiece = PathStep | PathRepeat;
export type ShownPiece = PathStep | PathRest | (Omit<PathRepeat, 'pieces'> & { pieces: ShownPiece[] });

/** Repeats of more steps than these are not looked for. */
const MOST_STEPS = 64;

/** Sorted by time. */
export function foldedPath(p: Profile, path: CriticalPath): PathPiece[] {
  const steps = stepsOf(p, path);
  const structure = folded(steps.kind);
  return new Sums(steps, structure).pieces();
}

/** Events of the path in columns: what kind of step each is, and its segments. */
interface Steps {
  kind: Int32Array;
  /** First segment of each step, and one more. */
  start: Uint32Array;
  kinds: Pick<PathStep, 'name' | 'resource' | 'file' | 'line'>[];
  path: CriticalPath;
}

function stepsOf(p: Profile, path: CriticalPath): Steps {
  const kindOf = kinds(p);
  const kind = new Int32Array(path.event.length);
  const start = new Uint32Array(path.event.length + 1);
  let count = 0;
  for (let s = 0; s < path.event.length; s++) {
    if (s > 0 && path.event[s] === path.event[s - 1]) continue;
    start[count] = s;
    kind[count++] = kindOf.of(path.event[s]);
  }
  start[count] = path.event.length;
  return { kind: kind.subarray(0, count), start: start.subarray(0, count + 1), kinds: kindOf.all, path };
}

/** Numbers steps of the same line that do the same. */
function kinds(p: Profile) {
  const { ofFrame, file, line } = places(p);
  const all: Steps['kinds'] = [];
  const known = new Map<string, number>();
  const names = new Map<number, string>();
  return {
    all,
    of(event: EventId): number {
      const place = event < 0 ? -1 : ofFrame[eventValue(p, event, 'frame')];
      const name = event < 0 ? 'nothing recorded' : nameOf(p, event, names);
      const key = `${place} ${name}`;
      let kind = known.get(key);
      if (kind === undefined) {
        const position = place < 0 ? { file: '', line: 0 } : { file: p.files[file[place]].path, line: line[place] };
        const resource = event < 0 ? '' : resourceOf(p, event);
        kind = all.push({ name, resource, ...position }) - 1;
        known.set(key, kind);
      }
      return kind;
    },
  };
}

/** @param names of lists of operands that were met */
function nameOf(p: Profile, event: EventId, names: Map<number, string>): string {
  const collective = collectiveOf(p, event);
  if (collective) return collective.name;
  if (isTransfer(p, event)) {
    const row = transferRow(p, event);
    const [from, to] = DIRECTIONS[p.transfers.direction[row]].split('->');
    const verb = from === to ? 'copy' : from === 'hbm' ? 'load' : to === 'hbm' ? 'store' : 'copy';
    return `${verb} ${p.strings[p.transfers.variable[row]]}`.trim();
  }
  const { operands, opcode } = p.instructions;
  const key = operands[event] * p.opcodes.length + opcode[event];
  const known = names.get(key) ?? instructionName(p.opcodes[opcode[event]], operandText(p, event));
  names.set(key, known);
  return known;
}

/** Words of operands. */
const ACTIVATION = /(?:^| )([A-Z][A-Z0-9_]*)(?: |$)/;
const OPERATION = /(?:^| )op0?=([A-Z][A-Z0-9_]*)/;

/** As AWS prints it, activations and operations with theirs: `ACTIVATE EXP`, `TENSOR_REDUCE MAX`. */
function instructionName(opcode: string, operands: string): string {
  if (/^DMA|PSEUDO_DMA/.test(opcode)) return 'start a DMA';
  const operation = (opcode === 'ACTIVATE' ? ACTIVATION : OPERATION).exec(operands);
  return operation ? `${opcode} ${operation[1]}` : opcode;
}

/** A repeat by the numbers of what it repeats: below the number of kinds a step, above another repeat. */
interface Structure {
  tokens: Int32Array;
  repeats: { times: number; tokens: Int32Array }[];
  kinds: number;
}

/** Short repeats first, so that those of inner loops are one token for the outer ones; again until nothing repeats. */
function folded(kind: Int32Array): Structure {
  const structure: Structure = { tokens: kind, repeats: [], kinds: kind.reduce((most, k) => Math.max(most, k + 1), 0) };
  const known = new Map<string, number>();
  for (let before = -1; before !== structure.tokens.length; ) {
    before = structure.tokens.length;
    for (let period = 1; period <= Math.min(MOST_STEPS, structure.tokens.length >> 1); period++) foldPeriod(structure, period, known);
  }
  return structure;
}

function foldPeriod(structure: Structure, period: number, known: Map<string, number>) {
  const { tokens, repeats, kinds } = structure;
  // how many tokens from here on are equal to those one period later
  const equal = new Uint32Array(tokens.length + 1);
  for (let i = tokens.length - 1 - period; i >= 0; i--) equal[i] = tokens[i] === tokens[i + period] ? equal[i + 1] + 1 : 0;
  const result = new Int32Array(tokens.length);
  let count = 0;
  for (let i = 0; i < tokens.length; ) {
    if (equal[i] < period) {
      result[count++] = tokens[i++];
      continue;
    }
    const times = Math.floor(equal[i] / period) + 1;
    const block = tokens.slice(i, i + period);
    const key = `${times} ${block.join()}`;
    let repeat = known.get(key);
    if (repeat === undefined) {
      repeat = kinds + repeats.push({ times, tokens: block }) - 1;
      known.set(key, repeat);
    }
    result[count++] = repeat;
    i += times * period;
  }
  structure.tokens = result.subarray(0, count);
}

/** Adds the times of all repetitions up, step by step of the structure. */
class Sums {
  private at = 0;

  constructor(
    private readonly steps: Steps,
    private readonly structure: Structure,
  ) {}

  pieces(): PathPiece[] {
    return Array.from(this.structure.tokens, token => this.walked(this.empty(token)));
  }

  private empty(token: number): PathPiece {
    if (token < this.structure.kinds) return { ...this.steps.kinds[token], ns: 0, waitsNs: {} };
    const { times, tokens } = this.structure.repeats[token - this.structure.kinds];
    return { times, pieces: Array.from(tokens, inner => this.empty(inner)), ns: 0 };
  }

  private walked(piece: PathPiece): PathPiece {
    if ('times' in piece) {
      for (let k = 0; k < piece.times; k++) for (const inner of piece.pieces) this.walked(inner);
      piece.ns = piece.pieces.reduce((ns, inner) => ns + inner.ns, 0);
      return piece;
    }
    const { start, path } = this.steps;
    for (let s = start[this.at]; s < start[this.at + 1]; s++) {
      const ns = path.endNs[s] - path.startNs[s];
      piece.ns += ns;
      const reason = STALL_REASONS[path.reason[s]];
      if (reason !== 'none') piece.waitsNs[reason] = (piece.waitsNs[reason] ?? 0) + ns;
    }
    this.at++;
    return piece;
  }
}

/** Keeps the longest pieces of each level, and merges the pieces between them. */
export function shortened(pieces: readonly PathPiece[], most: number): ShownPiece[] {
  const least = [...pieces].sort((a, b) => b.ns - a.ns)[most - 1]?.ns ?? 0;
  const result: ShownPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.ns >= least) result.push('times' in piece ? { ...piece, pieces: shortened(piece.pieces, most) } : piece);
    else if (last && 'steps' in last) {
      last.steps += stepCount(piece);
      last.ns += piece.ns;
    } else result.push({ steps: stepCount(piece), ns: piece.ns });
  }
  return result;
}

const stepCount = (piece: PathPiece): number =>
  'times' in piece ? piece.times * piece.pieces.reduce((sum, inner) => sum + stepCount(inner), 0) : 1;

/** `load x → 24 × (exp → store y)`. */
export const piecesText = (pieces: readonly ShownPiece[]): string => pieces.map(pieceText).join(' → ');

export function pieceText(piece: ShownPiece): string {
  if ('steps' in piece) return '…';
  if (!('times' in piece)) return piece.name;
  const [first, ...others] = piece.pieces;
  return `${piece.times} × ${others.length === 0 && !('times' in first) ? pieceText(first) : `(${piecesText(piece.pieces)})`}`;
}
