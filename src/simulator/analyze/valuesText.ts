/** What a change that was carried out on the values of a run did to its outputs, in words. */
import { counted, percentText } from './format';

/** As `ValuesTried` of `advice/` has it. */
export interface ChangedOutputs {
  /** The largest difference of an output over its largest magnitude. */
  largestError: number;
  /** That output. */
  output: string;
  /** Elements that became infinite or NaN, of all outputs. */
  notFinite: number;
}

export function valuesText({ largestError, output, notFinite }: ChangedOutputs): string {
  if (notFinite > 0) return `${counted(notFinite, 'value')} of the outputs become infinite or NaN`;
  return `with this run's inputs, ${output} changes by up to ${percentText(largestError)} of its largest value`;
}
