/** The runs that a host's tools have made: the last ones, by their ids. */
import { namePartsOf, nameText } from '../analyze/runNames';
import { decodeProfile } from '../profile/codec';
import type { ToolRun, WhichRun } from './tool';

const MOST_RUNS = 64;
const MOST_BYTES = 2 ** 29;

export class KeptRuns {
  private readonly kept: { run: ToolRun; file: string }[] = [];
  private made = 0;

  /** @param bytes a profile's container @param file that was run */
  keep(bytes: Uint8Array, file: string): ToolRun {
    const profile = decodeProfile(bytes);
    const run = { id: `r${++this.made}`, name: nameText(namePartsOf(profile)), profile, bytes };
    this.kept.push({ run, file });
    const size = () => this.kept.reduce((sum, kept) => sum + kept.run.bytes.length, 0);
    while (this.kept.length > 1 && (this.kept.length > MOST_RUNS || size() > MOST_BYTES)) this.kept.shift();
    return run;
  }

  find({ run, file }: WhichRun): ToolRun | undefined {
    return this.kept.findLast(kept => (run === undefined ? kept.file === file : kept.run.id === run))?.run;
  }
}
