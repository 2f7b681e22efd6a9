/**
 * The context of lowerings: the current program instruction (operands and attributes by name), and methods that emit machine instructions
 * with costs that follow from their operands. There is one for a whole compilation.
 */

import { addCost, type Cost, CostModel, NO_COST } from '../hardware/costModel';
import type { CostRuleName, Machine } from '../hardware/machine';
import { costOperands, type Operands, type WalkedOperand } from '../hardware/operands';
import { findRow } from '../isa/table';
import type { InstructionRow } from '../isa/types';
import type { Attributes, AttributeValue, Program } from '../program/program';
import { dtype } from '../vocabulary/dtypes';
import type { Engine } from '../vocabulary/engines';
import type { CompiledPipeline } from '../vocabulary/pipelines';
import type { Space } from '../vocabulary/spaces';
import { MachineCode } from './code';
import { READ, TENSOR_MATRIX, trackOf, WRITE } from './compiled';
import { Patterns, PSUM, SBUF } from './patterns';
import { type PipelineRules, rulesOf } from './pipelines';
import type { Policy } from './policy';

/** No tensor operand of that name. */
export const NONE = -1;

export interface CompileOptions {
  pipeline: CompiledPipeline;
  dge: 'auto' | 'off';
  /** The scheduler does not run: engines keep the order of the program, and loads are triggered early. */
  keepsOrder?: boolean;
}

interface OperationInfo {
  row: InstructionRow;
  slots: ReadonlyMap<string, number>;
}

export interface Emitted {
  engine: Engine;
  opcode: string;
  rule: CostRuleName;
  writes: readonly number[];
  reads: readonly number[];
  /** Words of the operand string: before the patterns, and after them. */
  before?: string;
  after?: string;
  /** What it takes beyond its rule. */
  extra?: Cost;
  /** Elements per partition that it streams; absent: those of its largest operand. */
  elements?: number;
  /** An additional instruction of the compiler, not a part of the row's lowering. */
  helps?: boolean;
}

export class CompileContext {
  readonly patterns: Patterns;
  readonly code: MachineCode;
  readonly costs: CostModel;
  /** State across instructions: contents of engines, and constants that are made once. */
  readonly state = new EngineState();
  /** The program instruction being lowered. */
  origin = 0;
  /** Of the pipeline. */
  readonly rules: PipelineRules;
  private readonly operations: OperationInfo[];
  private attributes: Attributes = {};
  private readonly replaced = new Map<string, number>();
  private readonly cost = { issueNs: 0, durationNs: 0 };
  /** Issue time given to each engine so far: how plain copies are balanced. */
  private readonly busyNs = new Map<Engine, number>();
  /** Used opcodes whose times are assumed. */
  readonly assumed = new Set<string>();

  constructor(
    readonly program: Program,
    readonly machine: Machine,
    readonly policy: Policy,
    readonly options: CompileOptions,
  ) {
    this.patterns = new Patterns(program);
    this.code = new MachineCode(this.patterns);
    this.costs = new CostModel(machine);
    const rules = rulesOf(options.pipeline, program, policy);
    this.rules = options.keepsOrder ? { ...rules, triggersLoads: 'early' } : rules;
    this.operations = program.operations.map(name => {
      const row = findRow(name);
      if (!row) throw new Error(`no row ${name} in the instruction table`);
      return { row, slots: new Map(Object.keys(row.operands).map((operand, slot) => [operand, slot])) };
    });
  }

  enter(instruction: number): InstructionRow {
    this.origin = instruction;
    if (this.replaced.size > 0) this.replaced.clear();
    this.attributes = this.program.attributes[this.program.instructions.attributes[instruction]];
    return this.row;
  }

  private get operation(): OperationInfo {
    return this.operations[this.program.instructions.operation[this.origin]];
  }

  get row(): InstructionRow {
    return this.operation.row;
  }

  get frame(): number {
    return this.program.instructions.frame[this.origin];
  }

  /** Pattern of a tensor operand, or NONE. */
  operand(name: string): number {
    const other = this.replaced.size > 0 ? this.replaced.get(name) : undefined;
    if (other !== undefined) return other;
    const slot = this.operation.slots.get(name);
    const { operandStart } = this.program.instructions;
    for (let o = operandStart[this.origin]; o < operandStart[this.origin + 1]; o++) if (this.program.operands.slot[o] === slot) return o;
    return NONE;
  }

  /** The current instruction has this pattern as operand from now on. */
  replace(name: string, pattern: number) {
    this.replaced.set(name, pattern);
  }

  /** The current instruction has this attribute from now on. */
  settle(name: string, value: AttributeValue) {
    this.attributes = { ...this.attributes, [name]: value };
  }

  /**
   * Every tensor operand of the program, in its order, with its instruction entered.
   * @param instead other operands of instructions: name and pattern
   */
  eachOperand(
    visit: (instruction: number, name: string, pattern: number) => void,
    instead: ReadonlyMap<number, readonly (readonly [name: string, pattern: number])[]> = new Map(),
  ) {
    const { operandStart } = this.program.instructions;
    for (let i = 0; i + 1 < operandStart.length; i++) {
      this.enter(i);
      for (const [name, pattern] of instead.get(i) ?? []) this.replace(name, pattern);
      const names = Object.keys(this.row.operands);
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) {
        const name = names[this.program.operands.slot[o]];
        visit(i, name, this.replaced.get(name) ?? o);
      }
    }
  }

  /** The recorded attribute, else the value that the row fixes. */
  attribute(name: string): AttributeValue | undefined {
    return this.attributes[name] ?? this.row.fixed?.[name];
  }

  /** Upper-case name for operand strings. */
  word(name: string, fallback = 'bypass'): string {
    const value = this.attribute(name);
    return String(typeof value === 'string' ? value : fallback).toUpperCase();
  }

  /** The engine that the kernel chose, else the row's first one. */
  engine(): Engine {
    return this.askedEngine() ?? this.row.engines[0];
  }

  /** What a copy reads: the dialects name it differently. */
  copySource(): 'src' | 'x' {
    return this.operand('src') >= 0 ? 'src' : 'x';
  }

  askedEngine(): Engine | undefined {
    const asked = String(this.attribute('engine') ?? '').toLowerCase();
    return this.row.engines.find(e => e.toLowerCase() === asked);
  }

  /** Who drains PSUM, when the kernel does not say. */
  drainingEngine(): Engine {
    return this.machine.drainsPsum?.value ?? this.lessBusy();
  }

  /** Of Vector and Scalar, the one with less to do so far. */
  lessBusy(): Engine {
    return (this.busyNs.get('Scalar') ?? 0) < (this.busyNs.get('Vector') ?? 0) ? 'Scalar' : 'Vector';
  }

  /** Whether weights in the PE array can be used by the next MATMUL. */
  keepsWeights(): boolean {
    const { reusesWeights } = this.rules;
    return reusesWeights === 'always' || (reusesWeights === 'atOnce' && this.code.lastTrack() === TENSOR_MATRIX);
  }

  /** A tensor of the compiler's own. @returns the pattern over all of it. */
  temporary(name: string, space: Space, dtypeName: string, shape: readonly number[]): number {
    return this.patterns.whole(this.patterns.addTensor(name, space, dtype(dtypeName).code, shape, this.frame));
  }

  /** One value per partition of `like`. */
  column(name: string, like: number, dtypeName = 'float32'): number {
    return this.temporary(name, 'sbuf', dtypeName, [this.patterns.partitions(like), 1]);
  }

  /** An instruction of Vector, Scalar or GpSimd. @returns its number. */
  emit({ engine, opcode, rule, writes, reads, before = '', after = '', extra = NO_COST, elements, helps = false }: Emitted): number {
    if (!helps && !this.row.costs.includes(rule)) throw new Error(`${this.row.name} does not name ${rule} among its costs`);
    const number = this.code.begin(trackOf(engine), opcode, this.origin);
    for (const pattern of writes) this.code.access(pattern, WRITE);
    for (const pattern of reads) this.code.access(pattern, READ);
    const cost = this.costs.elementwise(rule, engine, this.measure(writes, reads, elements), this.cost);
    const { issueNs } = cost;
    addCost(cost, extra);
    this.code.cost(cost.issueNs, cost.durationNs);
    if (this.costs.isAssumed(rule)) this.assumed.add(opcode);
    this.code.words(before, after);
    if (this.machine.sharedPorts.value.length > 0) this.code.setPorts(this.portMask(engine, writes, reads));
    this.busyNs.set(engine, (this.busyNs.get(engine) ?? 0) + issueNs);
    return number;
  }

  /** Another engine could do the last instruction, too: its scheduler decides. */
  emitAlternative({ engine, rule, writes, reads }: Pick<Emitted, 'engine' | 'rule' | 'writes' | 'reads'>) {
    const { issueNs, durationNs } = this.costs.elementwise(rule, engine, this.measure(writes, reads), this.cost);
    this.code.setAlternative({ track: trackOf(engine), issueNs, durationNs, ports: this.portMask(engine, writes, reads) });
  }

  private measure(writes: readonly number[], reads: readonly number[], elements?: number): Operands {
    const walked: WalkedOperand[] = [];
    for (const pattern of writes) walked.push(this.walked(pattern, true));
    for (const pattern of reads) walked.push(this.walked(pattern, false));
    return costOperands(this.machine, walked, elements);
  }

  private walked(pattern: number, isWritten: boolean): WalkedOperand {
    const { patterns } = this;
    return {
      elements: patterns.freeElements(pattern),
      bytes: patterns.bytesOf(pattern),
      stride: patterns.innerStride(pattern),
      isPsum: patterns.spaceOf(pattern) === PSUM,
      isWritten,
    };
  }

  private portMask(engine: Engine, writes: readonly number[], reads: readonly number[]): number {
    let mask = 0;
    for (const [k, port] of this.machine.sharedPorts.value.entries()) {
      const space = port.memory === 'psum' ? PSUM : SBUF;
      const touches = (pattern: number) => this.patterns.spaceOf(pattern) === space;
      if (port.engines.includes(engine) && (writes.some(touches) || reads.some(touches))) mask |= 1 << k;
    }
    return mask;
  }
}

/** The state of engines between instructions. */
export class EngineState {
  /** Table set of the last activation. */
  activationTable = '';
  /** The ACT_TABLE_LOAD that loaded it. */
  tableLoad = -1;
  /** Stationary tile in the PE array, as text; empty after anything that cannot be reused. */
  weights = '';
  /** Where the newest products ran in the PE array, as text, with the newest last (`lowerings/arrayTiles.ts`). */
  readonly arrayTiles: string[] = [];
  /** Identity matrices in SBUF by dtype: patterns. */
  readonly identities = new Map<string, number>();
  /** Patterns of rows of ones in SBUF, by dtype, and of tiles with one row in all partitions, by content. */
  readonly ones = new Map<string, number>();
  readonly broadcasts = new Map<string, number>();
  /** Rows that several instructions repeat in all partitions, by content. */
  readonly repeatedRows = new Set<string>();
}
