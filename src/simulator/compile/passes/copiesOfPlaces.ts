/**
 * Copies of places that copies have filled: `lhs = nisa.tensor_copy(weights[:, a:b])`, where `weights` is a tile of SBUF that only copies write to, one
 * for each place, and all of them before. Who reads such a copy reads the place itself.
 */
import type { CompileContext } from '../context';
import { SBUF } from '../patterns';
import { isWholeOwnTile } from './ownTile';
import type { PsumUses } from './psumUses';

/** A tile that is the copy of a place. */
interface CopyOfPlace {
  readonly instruction: number;
  readonly pattern: number;
  readonly source: number;
  readonly readers: (readonly [instruction: number, name: string])[];
  /** It has a use other than reads of all of it. */
  used: boolean;
}

/** What writes to a tensor of SBUF. */
interface Writers {
  /** Patterns that copies write to, in words. */
  readonly places: Set<string>;
  last: number;
  /** By something else than a copy, or to the same place again. */
  others: boolean;
}

/** @returns copies that are not needed, and the places that their readers read. */
export function forwardCopies(c: CompileContext, uses: PsumUses): Pick<PsumUses, 'leftOut' | 'operands'> {
  const copies = new Map<number, CopyOfPlace>();
  const writers = new Map<number, Writers>();
  c.eachOperand((instruction, name, pattern) => {
    if (uses.leftOut.has(instruction) || c.patterns.spaceOf(pattern) !== SBUF) return;
    const tensor = c.patterns.tensor(pattern);
    const writes = c.row.operands[name].role.endsWith('out');
    if (writes) write(c, writers, instruction, pattern);
    const copy = copies.get(tensor);
    if (copy) use(c, copy, instruction, name, pattern);
    else if (writes && isOwnCopy(c, pattern))
      copies.set(tensor, { instruction, pattern, source: c.operand(c.copySource()), readers: [], used: false });
  }, uses.operands);
  return decided(c, uses, copies, writers);
}

/** Those whose place is as it was when it was copied, for as long as the program runs. */
function decided(
  { patterns }: CompileContext,
  uses: PsumUses,
  copies: ReadonlyMap<number, CopyOfPlace>,
  writers: ReadonlyMap<number, Writers>,
): Pick<PsumUses, 'leftOut' | 'operands'> {
  const leftOut = new Set<number>();
  const operands = new Map<number, (readonly [string, number])[]>();
  for (const { instruction, source, readers, used } of copies.values()) {
    const from = patterns.tensor(source);
    const written = writers.get(from);
    const isPlace = written !== undefined && !written.others && written.last < instruction && written.places.has(patterns.describe(source));
    const isThere = !leftOut.has(copies.get(from)?.instruction ?? -1);
    if (used || readers.length === 0 || !isPlace || !isThere) continue;
    leftOut.add(instruction);
    for (const [reader, name] of readers)
      operands.set(reader, [...(operands.get(reader) ?? uses.operands.get(reader) ?? []).filter(([own]) => own !== name), [name, source]]);
  }
  return { leftOut, operands };
}

function write({ patterns, row }: CompileContext, writers: Map<number, Writers>, instruction: number, pattern: number) {
  const tensor = patterns.tensor(pattern);
  const written = writers.get(tensor) ?? { places: new Set<string>(), last: -1, others: false };
  const place = patterns.describe(pattern);
  if (row.lower !== 'copy' || written.places.has(place)) written.others = true;
  written.places.add(place);
  written.last = instruction;
  writers.set(tensor, written);
}

function use({ patterns, row }: CompileContext, copy: CopyOfPlace, instruction: number, name: string, pattern: number) {
  const isRead = row.operands[name].role === 'in' && patterns.describeWalk(pattern) === patterns.describeWalk(copy.pattern);
  if (isRead) copy.readers.push([instruction, name]);
  else copy.used = true;
}

/** A copy within SBUF, of elements that stay as they are, that fills a whole tile whose place the compiler chooses. */
function isOwnCopy(c: CompileContext, pattern: number): boolean {
  if (c.row.lower !== 'copy' || c.askedEngine() !== undefined || !isWholeOwnTile(c, pattern)) return false;
  const { patterns } = c;
  const source = c.operand(c.copySource());
  return (
    source >= 0 &&
    patterns.spaceOf(source) === SBUF &&
    !patterns.addressed(patterns.tensor(source)) &&
    patterns.dtypeOf(source) === patterns.dtypeOf(pattern) &&
    patterns.partitions(source) === patterns.partitions(pattern) &&
    patterns.freeElements(source) === patterns.freeElements(pattern)
  );
}
