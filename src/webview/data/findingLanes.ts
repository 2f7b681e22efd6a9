/** Findings as a row: a mark for each finding, at its event. */
import type { Finding } from '../../simulator/analyze/findings';
import { timeColumns } from '../../simulator/profile/lane';
import { type Lane, lanesOf } from '../../simulator/profile/lanes';

/** Notes are no errors: they are in the Warnings tab and at their event only. */
export const isOfRow = ({ severity }: Finding) => severity !== 'info';

export function findingLanes(findings: readonly Finding[]): Lane[] {
  const startNs = Float64Array.from(findings, finding => finding.startNs);
  const endNs = Float64Array.from(findings, finding => finding.endNs);
  const rows = Uint32Array.from(findings, (_, i) => i);
  const events = Uint32Array.from(findings, finding => finding.event);
  return lanesOf(timeColumns({ readyNs: startNs, startNs, endNs }), rows, 0, events);
}
