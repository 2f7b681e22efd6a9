/**
 * Advice to use a narrower dtype, tried on the run's own values: the kernel runs again with the operands of the advised matmuls rounded,
 * and its outputs are compared with those of the run as it is. What its values do not allow is no advice.
 */
import type { Advice, AdviceReport, ValuesTried } from '../advice/advise';
import type { CaptureRequest, CaptureResult, KernelCall } from '../session/capture';
import type { NarrowedErrors } from '../session/precisionReport';

/** Share of an output's largest magnitude. Ours: errors of bf16 are some 0.5 % and those of fp8 some 5 %; more is a loss of another kind. */
export const LARGEST_ERROR = 0.1;

/**
 * @param request what made the profile of the report; with `numerics: 'auto'` values are tried only where they cost little
 * @returns the report as it is where no advice is of this kind, or where values are not computed
 * @throws SimulatorFault
 */
export async function withValuesTried(
  capture: (request: CaptureRequest) => Promise<CaptureResult>,
  request: CaptureRequest,
  { call }: KernelCall,
  report: AdviceReport,
): Promise<AdviceReport> {
  const wanted = report.advice.filter(({ narrowsTo }) => narrowsTo !== undefined);
  if (wanted.length === 0 || request.numerics === 'off') return report;
  const narrowings = wanted.map(({ narrowsTo, lines }) => ({ dtype: narrowsTo!, lines: lines.map(({ file, line }) => ({ file, line })) }));
  const { runs } = await capture({ ...request, narrowings });
  const found = runs[call]?.narrowed;
  if (!found) return report;
  const tried = new Map<Advice, Advice>();
  for (const [k, advice] of wanted.entries()) {
    const values = valuesOf(found[k]);
    if (values) tried.set(advice, { ...advice, values });
  }
  const all = report.advice.map(advice => tried.get(advice) ?? advice);
  const isAllowed = ({ values }: Advice) => values === undefined || values.allow;
  return { ...report, advice: all.filter(isAllowed), rejected: [...all.filter(advice => !isAllowed(advice)), ...report.rejected] };
}

/** Undefined: nothing was rounded, or there are no outputs to compare. */
function valuesOf({ instructions, outputs }: NarrowedErrors): ValuesTried | undefined {
  if (instructions === 0 || outputs.length === 0) return undefined;
  const worst = outputs.reduce((a, b) => (b.largest > a.largest ? b : a));
  const notFinite = outputs.reduce((sum, output) => sum + output.notFinite, 0);
  return { largestError: worst.largest, output: worst.name, notFinite, allow: notFinite === 0 && worst.largest <= LARGEST_ERROR };
}
