/** A fault of NKI Scope itself, with a report to paste. */
export class SimulatorFault extends Error {
  override name = 'SimulatorFault';

  constructor(readonly report: string) {
    super(`NKI Scope failed: ${report.split('\n', 1)[0]}`);
  }
}
