/**
 * Times of single instructions, by a machine's cost rules. An instruction has an issue interval (start to start of independent
 * instructions) and a duration (start to visible result). Queues, waits and clock states are in `schedule/`.
 */
import type { Engine } from '../vocabulary/engines';
import { COST_RULES, type CostRule, type CostRuleName, type Machine, type SpeedClass } from './machine';

export interface Operands {
  /** Elements of the free dimensions: what one partition streams. */
  elements: number;
  /** Widest and narrowest element of all operands. */
  bytes: number;
  leastBytes: number;
  /** Some operand lives in PSUM. */
  psum: boolean;
  /** Every operand has stride 1 in its innermost dimension. */
  unitStride: boolean;
  /** Some operand has an innermost stride at which SBUF and PSUM are slow (`isLongStride`). */
  longStride: boolean;
}

export interface Cost {
  issueNs: number;
  durationNs: number;
}

export type MatmulWidth = 'fp32' | 'bf16' | 'fp8';

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
    const fixed = operands.psum && rule.fixedPsumNs ? rule.fixedPsumNs : rule.fixedNs;
    out.durationNs = fixed.value + streamNs;
    out.issueNs = Math.max(streamNs + rule.issueNs.value, minIssueCycles.value / clock);
    // A result cannot be visible before the next independent instruction may start.
    out.durationNs = Math.max(out.durationNs, out.issueNs);
    return out;
  }

  isLongStride(strideBytes: number): boolean {
    return strideBytes > this.machine.longStrideBytes.value;
  }

  /** The rate of the arithmetic or, with a long stride, that of the memory if it is slower. */
  private cyclesPerElement(rule: CostRule, operands: Operands): number {
    const { fastElementBytes, longStrideCycles } = this.machine;
    const speed = rule.speedup?.[speedClass(operands, fastElementBytes.value)!]?.value ?? 1;
    return Math.max(rule.cyclesPerElement.value, operands.longStride ? longStrideCycles.value : 0) / speed;
  }

  /** One MATMUL at full clock: `columns` of the moving tile. The passes over fp32 hide long strides. Ns. */
  matmul(width: MatmulWidth, columns: number, out: Cost, longStride = false): Cost {
    const { tensor, clockGhz, longStrideCycles } = this.machine;
    const passes = tensor.passes[width].value;
    const cycles = longStride ? Math.max(passes, longStrideCycles.value * Math.min(passes, 1)) : passes;
    out.issueNs = (Math.max(tensor.minColumns.value, columns) * cycles) / clockGhz.Tensor.value;
    out.durationNs = out.issueNs + tensor.fillNs.value;
    return out;
  }

  /** One LDWEIGHTS at full clock: `rows` of the stationary tile. Issue: until the MATMUL that uses them may start. Ns. */
  loadWeights(width: MatmulWidth, rows: number, out: Cost): Cost {
    const { tensor, clockGhz } = this.machine;
    out.issueNs = rows / tensor.loadRowsPerCycle[width === 'fp32' ? 'fp32' : 'bf16'].value / clockGhz.Tensor.value;
    out.durationNs = out.issueNs + tensor.loadFixedNs.value;
    return out;
  }

  /** The number of MATMUL instructions for one matmul of this width. */
  matmulInstructions(width: MatmulWidth, transpose = false): number {
    const { fp32Instructions, fp32TransposeInstructions } = this.machine.tensor;
    if (width !== 'fp32') return 1;
    return transpose ? fp32TransposeInstructions.value : fp32Instructions.value;
  }
}

function speedClass({ bytes, leastBytes, psum, unitStride }: Operands, fastElementBytes: number): SpeedClass | undefined {
  const narrow = bytes <= 2 && leastBytes >= fastElementBytes;
  if (!psum && unitStride) return narrow ? 'sbuf16' : 'sbuf32';
  if (narrow) return 'wide16';
  return psum ? 'psum32' : undefined;
}
