/** Kernel calls that have returned while the script that made them goes on: the first that was asked for is shown at once. */
import type { CaptureRequest, ReturnedCall } from '../../simulator/index';
import type { Timelines } from '../timeline/timelines';
import type { Run } from './run';
import type { Runs } from './runs';
import { type AskedFor, toRun } from './toRuns';

interface Needs {
  runs: Runs;
  timelines: Timelines;
}

export class ReturnedRuns {
  readonly all: Run[] = [];
  private first: Run | undefined;

  constructor(
    private readonly parts: Needs,
    private readonly request: CaptureRequest,
    private readonly asked: AskedFor,
  ) {}

  /** The one that is shown. */
  get shown(): Run | undefined {
    return this.first;
  }

  add(call: ReturnedCall): void {
    const run = toRun(this.request, call, this.asked);
    this.all.push(run);
    const { kernel } = this.asked;
    if (this.first || (kernel !== undefined && run.kernel !== kernel)) return;
    this.first = run;
    void showRun(this.parts, run, this.request.file);
  }
}

/** Opens its timeline, then makes its lines the editor's hot lines. @param file that was run */
export async function showRun({ runs, timelines }: Needs, run: Run, file: string): Promise<void> {
  timelines.show(run, file);
  // The picture first: the hints cost a pass over the profile, in the thread that sends it to the picture.
  await timelines.untilDrawn(run);
  runs.put(run);
}
