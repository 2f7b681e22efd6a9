/**
 * Times of single instructions, by a machine's cost rules. An instruction has an issue interval (start to start of independent
 * instructions) and a duration (start to visible result). Queues, waits and clock states are in `schedule/`.
 */
import type { Engine } from '../vocabulary/engines';
import { COST_RULES, type CostRule, type CostRuleName, type Machine, type SpeedClass } from './machine';
import type { Operands } from './operands';

export interface Cost {
  issueNs: number;
  durationNs: number;
}

export const NO_COST: Cost = { issueNs: 0, durationNs: 0 };

/** Adds to a cost. A result cannot be visible before the next independent instruction may start. */
export function addCost(to: Cost, { issueNs, durationNs }: Cost) {
  to.issueNs += issueNs;
  to.durationNs = Math.max(to.durationNs + durationNs, to.issueNs);
}

/** Of SBUF: elements of fewer bytes are parts of one. */
const WORD_BYTES = 4;

export type MatmulWidth = 'fp32' | 'bf16' | 'fp8';

/** Of an element out of PSUM: its part of the issue interval over its part of the duration. */
const psumInterval = ({ issueCyclesPerPsumElement, cyclesPerElement }: CostRule) =>
  issueCyclesPerPsumElement ? issueCyclesPerPsumElement.value / cyclesPerElement.value : 1;

/** One machine's rules with the facts unwrapped. Results are written into `out`: no object per instruction. */
export class CostModel {
  /** Rules whose fixed part or rate is neither measured nor documented. */
  private readonly assumed: ReadonlySet<CostRuleName>;

  constructor(readonly machine: Machine) {
    const assumed = ({ fixedNs, cyclesPerElement }: CostRule) => [fixedNs, cyclesPerElement].some(f => f.confidence === 'assumed');
    this.assumed = new Set(COST_RULES.filter(name => assumed(machine.rules[name])));
  }

  isAssumed(rule: CostRuleName): boolean {
    return this.assumed.has(rule);
  }

  /** Times in ns of an instruction of Vector, Scalar or GpSimd. */
  elementwise(name: CostRuleName, engine: Engine, operands: Operands, out: Cost): Cost {
    const { clockGhz, minIssueCycles, rules } = this.machine;
    const rule = rules[name];
    const clock = clockGhz[engine].value;
    const streamNs = (operands.elements * this.cyclesPerElement(rule, operands)) / clock;
    const writeNs = operands.elements * this.writeNsPerElement(operands);
    const fixed = operands.psum && rule.fixedPsumNs ? rule.fixedPsumNs : rule.fixedNs;
    const issue = (operands.intoPsum && rule.issueIntoPsumNs) || (operands.psum && rule.issuePsumNs) || rule.issueNs;
    out.durationNs = fixed.value + Math.max(streamNs, writeNs);
    const intervalNs = streamNs * (operands.psum ? psumInterval(rule) : 1);
    out.issueNs = Math.max(intervalNs + issue.value, writeNs, minIssueCycles.value / clock);
    // A result cannot be visible before the next independent instruction may start.
    out.durationNs = Math.max(out.durationNs, out.issueNs);
    return out;
  }

  /** What an ACTIVATE takes longer because its scale is in SBUF. */
  scaleRead(): Cost {
    const { scaleRead } = this.machine;
    return scaleRead ? { issueNs: scaleRead.issueNs.value, durationNs: scaleRead.durationNs.value } : NO_COST;
  }

  /** The rate of the arithmetic or, with a long stride, that of the memory if it is slower. */
  private cyclesPerElement(rule: CostRule, operands: Operands): number {
    const { fastElementBytes, longStrideCycles } = this.machine;
    const speed = rule.speedup?.[speedClass(operands, fastElementBytes.value)!]?.value ?? 1;
    const isLong = operands.longStrideRead || (operands.longStrideWriteBytes > 0 && !this.machine.longStrideWriteNs);
    return Math.max(rule.cyclesPerElement.value, isLong ? longStrideCycles.value : 0) / speed;
  }

  /** What the memory takes for an element that is written with a long stride, where that was measured; else 0. */
  private writeNsPerElement({ longStrideWriteBytes }: Operands): number {
    const { longStrideWriteNs } = this.machine;
    if (longStrideWriteBytes === 0 || !longStrideWriteNs) return 0;
    return (longStrideWriteBytes < WORD_BYTES ? longStrideWriteNs.partOfWord : longStrideWriteNs.word).value;
  }

  /** One MATMUL at full clock: `columns` of the moving tile. The passes over fp32 hide long strides. Ns. */
  matmul(width: MatmulWidth, columns: number, out: Cost, longStride = false): Cost {
    const { tensor, clockGhz } = this.machine;
    const passes = tensor.passes[width].value;
    const cycles = longStride ? Math.max(passes, tensor.longStridePasses.value * Math.min(passes, 1)) : passes;
    const columnNs = cycles / clockGhz.Tensor.value;
    out.issueNs = Math.max(tensor.minColumns.value, columns) * columnNs;
    out.durationNs = columns * columnNs + tensor.fillNs.value;
    return out;
  }

  /**
   * One LDWEIGHTS at full clock: `rows` of the stationary tile. Issue: until the MATMUL that uses them may start; where that is more than the
   * duration without its fixed part, reading a tile of 16 bits or less bounds it, at any clock. Ns.
   * @param walk the free dimensions of the stationary tile: elements, and bytes from one to the next
   */
  loadWeights(width: MatmulWidth, rows: number, out: Cost, walk: { elements: number; strideBytes: number }, transpose = false): Cost {
    const { tensor, clockGhz } = this.machine;
    const wide = transpose ? 'fp32Transpose' : 'fp32';
    const shiftNs = rows / tensor.loadRowsPerCycle[width === 'fp32' ? wide : 'bf16'].value / clockGhz.Tensor.value;
    const words = walk.elements * Math.min(1, walk.strideBytes / tensor.weightsWordBytes.value);
    out.issueNs = width === 'fp32' ? shiftNs : Math.max(shiftNs, words * tensor.weightsWordNs.value);
    out.durationNs = shiftNs + tensor.loadFixedNs.value;
    return out;
  }

  /** The number of MATMUL instructions for one matmul of this width. */
  matmulInstructions(width: MatmulWidth, transpose = false): number {
    const { fp32Instructions, fp32TransposeInstructions } = this.machine.tensor;
    if (width !== 'fp32') return 1;
    return transpose ? fp32TransposeInstructions.value : fp32Instructions.value;
  }
}

function speedClass(operands: Operands, fastElementBytes: number): SpeedClass | undefined {
  const { bytes, leastBytes, psum, unitStride, longStrideRead } = operands;
  if (longStrideRead) return undefined;
  const narrow = bytes <= 2 && leastBytes >= fastElementBytes;
  if (!psum && unitStride) return narrow ? 'sbuf16' : 'sbuf32';
  if (narrow) return 'wide16';
  return psum ? 'psum32' : undefined;
}
