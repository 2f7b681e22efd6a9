/**
 * Vectorization: what iterations of a loop do to tiles that lie, or can be laid, side by side becomes one instruction. Read off compiled
 * convolutions of Trn1 (Ericcsr/asst4-trainium at 8969170, part2/file_pool_*.neff): two copies of 222 columns of a row each are one of 2 x 222,
 * transposed tiles of 128 columns leave PSUM by two or four; nothing is wider than 512 columns. Those kernels copy only; that exponentials and
 * reductions of slices are merged too is what autocomp's attention (steps 8 and 10) needs to be as quick as it was. The profile
 * of kda-matmul_add_rmsnorm_v2_bf16_split counts 812 instructions of VectorE and ScalarE: the model has 758 if differences are merged, too,
 * else 1,142. A loop whose iterations add to one product is vectorized only if one instruction takes all of them: the profile of
 * kda-gqa_full_v1 (32 iterations) counts each copy, and autocomp's steps have four.
 */
import type { CostRuleName } from '../../hardware/machine';
import { ACCUMULATE, type Compiled, READ, SCALAR, VECTOR } from '../compiled';
import type { CompileContext } from '../context';
import { HBM, PSUM } from '../patterns';
import { unitsOf } from '../scheduling/units';
import { chainSteps, groupwise } from './groupwise';
import { iterationOf, loopOf } from './iterations';
import { SideBySide, viewed, withEmitted } from './sideBySide';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

const COPIES: readonly string[] = ['COPY', 'CAST'];

/** Cost rules by opcode, on VectorE and on ScalarE. */
const RULES: Readonly<Record<string, readonly [vector: CostRuleName, scalar: CostRuleName]>> = {
  COPY: ['vectorCopy', 'scalarCopy'],
  CAST: ['vectorCopy', 'scalarCopy'],
  ACTIVATE: ['activation', 'activation'],
  TENSOR_REDUCE: ['vectorReduce', 'vectorReduce'],
  TENSOR_TENSOR: ['vectorTensorTensor', 'vectorTensorTensor'],
};

/** ScalarE's accumulator is left alone. */
const IDLE = 'idle';

/** Makes one instruction do the work of several, in `code` itself. @returns it, and which of its instructions stay, in what order. */
export function vectorize<T extends Code>(c: CompileContext, code: T): { code: T; order: Uint32Array } {
  return new Vectorizer(c, code).run();
}

class Vectorizer<T extends Code> {
  private readonly viewed: Uint8Array;
  private readonly tiles: SideBySide;
  /** Iterations without loops inside: those of outer loops would hold what is between for too long. */
  private readonly innermost: ReadonlySet<number>;
  /** Loops whose iterations add to one product. */
  private readonly accumulating: ReadonlySet<string>;

  constructor(
    private readonly c: CompileContext,
    private readonly code: T,
  ) {
    this.viewed = viewed(c.patterns, code.accesses);
    this.tiles = new SideBySide(c.patterns);
    this.accumulating = accumulatingLoops(c, code);
    const { parent } = c.program.iterations;
    const outer = new Set(parent);
    this.innermost = new Set(Array.from(parent.keys()).filter(iteration => !outer.has(iteration)));
  }

  run(): { code: T; order: Uint32Array } {
    const { code, c } = this;
    const kinds = this.kinds().filter(members => members.length > 1);
    const unchanged = { code, order: Uint32Array.from(code.instructions.track.keys()) };
    if (kinds.length === 0) return unchanged;
    const graph = unitsOf(c.patterns, code);
    const steps = chainSteps(graph, kinds);
    const groups = kinds.flatMap(members => this.groups(members, steps)).filter(group => this.place(group));
    if (groups.length === 0) return unchanged;
    this.tiles.move(code.accesses);
    const emitted = c.code.instructions;
    for (const group of groups) this.emit(group);
    const { detail } = code.instructions;
    const words = groups.map(([first]) => detail[first]);
    const widened = withEmitted(
      c,
      code,
      emitted,
      groups.map(([first]) => first),
    );
    for (const [k, [first]] of groups.entries()) detail[first] = words[k];
    return {
      code: widened,
      order: groupwise(
        graph,
        groups,
        Uint32Array.from({ length: graph.count }, (_, u) => u),
      ),
    };
  }

  /** Instructions of the same kind in iterations of the same loop; in program order. */
  private kinds(): number[][] {
    const kinds = new Map<string, number[]>();
    for (let i = 0; i < this.code.instructions.track.length; i++) {
      if (!this.isPlain(i)) continue;
      const kind = this.kindOf(i);
      const members = kinds.get(kind);
      if (members) members.push(i);
      else kinds.set(kind, [i]);
    }
    return [...kinds.values()];
  }

  /** One result, of operands on chip. */
  private isPlain(i: number): boolean {
    const { c, code } = this;
    const { track, opcode, origin } = code.instructions;
    if ((track[i] !== VECTOR && track[i] !== SCALAR) || !(code.opcodes[opcode[i]] in RULES)) return false;
    if (!this.innermost.has(iterationOf(c.program, code, i))) return false;
    c.enter(origin[i]);
    if (String(c.attribute('reduce_cmd') ?? IDLE) !== IDLE) return false;
    const accesses = this.accesses(i);
    const isWrite = (a: number) => code.accesses.role[a] !== READ;
    const onChip = accesses.every(a => c.patterns.spaceOf(code.accesses.pattern[a]) !== HBM);
    return onChip && accesses.filter(isWrite).length === 1;
  }

  private accesses(i: number): number[] {
    const { accessStart } = this.code.instructions;
    return Array.from({ length: accessStart[i + 1] - accessStart[i] }, (_, k) => accessStart[i] + k);
  }

  private patternsOf(i: number): number[] {
    return this.accesses(i).map(a => this.code.accesses.pattern[a]);
  }

  private kindOf(i: number): string {
    const { opcode, detail, origin } = this.code.instructions;
    const { patterns, program } = this.c;
    const walks = this.patternsOf(i).map(pattern => {
      const dims = Array.from({ length: patterns.dims(pattern) }, (_, dim) => dim);
      const walk = dims.map(dim => `${patterns.strideOf(pattern, dim)}*${patterns.countOf(pattern, dim)}`).join(' ');
      return `${patterns.spaceOf(pattern)} ${patterns.dtypeOf(pattern)} ${patterns.firstPartition(pattern)} ${walk}`;
    });
    return `${loopOf(program, this.code, i)} ${program.instructions.frame[origin[i]]} ${opcode[i]} ${detail[i]} ${walks.join(', ')}`;
  }

  /** Runs of iterations whose operands follow each other, as wide as one instruction may be. */
  private groups(members: readonly number[], steps: Uint32Array): number[][] {
    const { program, patterns, policy } = this.c;
    const columns = Math.max(...this.patternsOf(members[0]).map(pattern => patterns.freeElements(pattern)));
    const most = Math.floor(policy.vectorColumns.value / columns);
    const groups: number[][] = [];
    let group: number[] = [];
    for (const i of members) {
      const last = group[group.length - 1];
      const joins =
        group.length > 0 &&
        group.length < most &&
        steps[last] === steps[i] &&
        iterationOf(program, this.code, last) !== iterationOf(program, this.code, i) &&
        this.follows(group, i);
      if (!joins) {
        group = [];
        groups.push(group);
      }
      group.push(i);
    }
    if (groups.length > 1 && this.accumulating.has(loopOf(program, this.code, members[0]))) return [];
    return groups.filter(([first, second]) => second !== undefined && this.liesTogether(first, second));
  }

  /** They share a tensor, or leave PSUM: what else has tiles of its own stays apart. */
  private liesTogether(first: number, second: number): boolean {
    const { patterns } = this.c;
    const [own, next] = [this.patternsOf(first), this.patternsOf(second)];
    const isCopy = COPIES.includes(this.code.opcodes[this.code.instructions.opcode[first]]);
    const isSlice = (pattern: number, k: number) =>
      patterns.tensor(pattern) === patterns.tensor(next[k]) && patterns.offset(pattern) !== patterns.offset(next[k]);
    return own.some(isSlice) || (isCopy && own.some(pattern => patterns.spaceOf(pattern) === PSUM));
  }

  /** Every operand is a column that all read, the next slice of a tensor, or a tile of its own. */
  private follows(group: readonly number[], i: number): boolean {
    const { patterns } = this.c;
    const [own, last] = [this.patternsOf(i), this.patternsOf(group[group.length - 1])];
    const first = this.patternsOf(group[0]);
    return own.every((pattern, k) => {
      const isColumn = this.code.accesses.role[this.accesses(i)[k]] === READ && patterns.freeElements(pattern) === 1;
      if (patterns.tensor(pattern) !== patterns.tensor(last[k])) return !isColumn && this.isTile(pattern) && this.isTile(last[k]);
      const distance = patterns.offset(pattern) - patterns.offset(last[k]);
      if (distance === 0 || isColumn) return distance === 0 && isColumn;
      return distance > 0 && distance * group.length === patterns.offset(pattern) - patterns.offset(first[k]);
    });
  }

  /** All of a tile that may lie elsewhere. */
  private isTile(pattern: number): boolean {
    const { patterns } = this.c;
    const tensor = patterns.tensor(pattern);
    if (patterns.addressed(tensor) || this.viewed[tensor]) return false;
    return patterns.offset(pattern) === 0 && patterns.contiguousElements(pattern) === patterns.elementsPerPartition(tensor);
  }

  /** Puts tiles of their own side by side. @returns whether it could. */
  private place(group: readonly number[]): boolean {
    const { patterns, machine } = this.c;
    const operands = group.map(i => this.patternsOf(i).map(pattern => patterns.tensor(pattern)));
    const lists = operands[0].map((_, k) => operands.map(own => own[k])).filter(list => new Set(list).size > 1);
    const fits = (list: readonly number[]) =>
      patterns.space(list[0]) !== PSUM || list.length * patterns.bytesPerPartition(list[0]) <= machine.psumBankBytes.value;
    return lists.every(fits) && this.tiles.place(lists);
  }

  /** The first of the group again, for all of them. */
  private emit(group: readonly number[]) {
    const { c, code } = this;
    const { track, opcode, origin } = code.instructions;
    const [first, second] = group;
    const next = this.patternsOf(second);
    const operands = this.patternsOf(first).map((pattern, k) => this.widened(pattern, next[k], group.length));
    const isRead = (k: number) => code.accesses.role[this.accesses(first)[k]] === READ;
    c.enter(origin[first]);
    const engine = track[first] === VECTOR ? 'Vector' : 'Scalar';
    const name = code.opcodes[opcode[first]];
    const rule = RULES[name][engine === 'Vector' ? 0 : 1];
    const [writes, reads] = [operands.filter((_, k) => !isRead(k)), operands.filter((_, k) => isRead(k))];
    c.emit({ engine, opcode: name, rule, writes, reads, helps: true });
  }

  private widened(pattern: number, next: number, times: number): number {
    const { patterns } = this.c;
    const distance = patterns.offset(next) - patterns.offset(pattern);
    if (distance === 0) return pattern;
    const dims = Array.from({ length: patterns.dims(pattern) - 1 }, (_, k) => k + 1).filter(dim => patterns.countOf(pattern, dim) > 1);
    const walk = [[distance, times], ...dims.map(dim => [patterns.strideOf(pattern, dim), patterns.countOf(pattern, dim)])];
    const isRow = walk.length === 2 && walk[1][0] === 1 && walk[1][1] === distance;
    const free = isRow ? [[1, distance * times]] : walk;
    return patterns.add(
      patterns.tensor(pattern),
      patterns.offset(pattern),
      [patterns.strideOf(pattern, 0), ...free.map(([stride]) => stride)],
      [patterns.partitions(pattern), ...free.map(([, count]) => count)],
      patterns.dtypeOf(pattern),
    );
  }
}

/** Loops of which several iterations add to the same tile of PSUM. */
function accumulatingLoops({ program, patterns }: CompileContext, code: Code): Set<string> {
  const loops = new Set<string>();
  /** By tensor: the iteration that wrote it last. */
  const writer = new Map<number, number>();
  const { accessStart, track } = code.instructions;
  const { pattern, role } = code.accesses;
  for (let i = 0; i < track.length; i++)
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(pattern[a]);
      if (role[a] === READ || patterns.space(tensor) !== PSUM) continue;
      const own = iterationOf(program, code, i);
      if (role[a] === ACCUMULATE && (writer.get(tensor) ?? own) !== own) loops.add(loopOf(program, code, i));
      writer.set(tensor, own);
    }
  return loops;
}
