/** Kernel calls that have returned while the script that made them goes on: the first that was asked for is shown at once. */
import type { CaptureRequest, ReturnedCall } from '../../simulator/index';
import type { Timelines } from '../timeline/timelines';
import { keyOf } from './identity';
import type { Run } from './run';
import type { Runs } from './runs';
import { type AskedFor, identityOfCall, toRun } from './toRuns';

interface Needs {
  runs: Runs;
  timelines: Timelines;
}

/** VS Code is asked for the timeline when this turn of the loop and the next one have ended. */
const ASKING_MS = 10;

export class ReturnedRuns {
  readonly all: Run[] = [];
  private first: Run | undefined;
  private isExpected = false;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: Needs,
    private readonly request: CaptureRequest,
    private readonly asked: AskedFor,
  ) {}

  /** The one that is shown. */
  get shown(): Run | undefined {
    return this.first;
  }

  /** The page of the timeline loads while this thread reads the profile. */
  add(call: ReturnedCall): void {
    const { request, asked } = this;
    const isShown = !this.isExpected && (asked.kernel === undefined || call.id.kernel === asked.kernel);
    if (isShown) {
      this.isExpected = true;
      this.parts.timelines.expectRun(keyOf(identityOfCall(request, call)), request.file, call.id.kernel);
    }
    const read = async () => {
      if (isShown) await new Promise(resolve => setTimeout(resolve, ASKING_MS));
      const run = toRun(request, call, asked);
      this.all.push(run);
      if (!isShown) return;
      this.first = run;
      void showRun(this.parts, run, request.file);
    };
    this.reading = this.reading.then(read);
    this.reading.catch(() => {}); // told by `settled`
  }

  /** When all that have returned so far are read. @throws FormatError when one is no profile */
  settled(): Promise<void> {
    return this.reading;
  }
}

/** Opens its timeline, then makes its lines the editor's hot lines. @param file that was run */
export async function showRun({ runs, timelines }: Needs, run: Run, file: string): Promise<void> {
  timelines.show(run, file);
  // The picture first: the hints cost a pass over the profile, in the thread that sends it to the picture.
  await timelines.untilDrawn(run);
  runs.put(run);
}
