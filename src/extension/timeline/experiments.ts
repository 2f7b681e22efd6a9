/**
 * Experiments with runs, for timelines and hovers: carried out in the reading worker, nothing of the kernel is run, except for advice that
 * was asked for with other runs of it. What was answered about a run is kept for as long as the run is.
 */
import * as vscode from 'vscode';
import {
  type AdviceReport,
  adviceByRuns,
  type CaptureRequest,
  type ExperimentAnswer,
  type ExperimentAsked,
  experimentIn,
  type ProfileSource,
  packNkiprof,
  type ReadingClient,
  type Watching,
} from '../../simulator/index';
import type { Run } from '../run/run';
import type { Simulator } from '../run/simulator';
import { rerunOf } from './rerun';

type Asked = ExperimentAsked | { job: 'adviseByRuns' };
type Job = Asked['job'];

export class Experiments implements vscode.Disposable {
  private readonly answers = new WeakMap<Run, Map<string, ExperimentAnswer>>();
  private readonly running = new Map<Run, Map<Job, AbortController>>();

  constructor(
    private readonly reading: ReadingClient,
    private readonly simulator: Pick<Simulator, 'capture'>,
  ) {}

  /** The advice that was worked out already, that of other runs if there is. */
  knownAdvice(run: Run): AdviceReport | undefined {
    return (this.known(run, { job: 'adviseByRuns' }) ?? this.known(run, { job: 'advise' })) as AdviceReport | undefined;
  }

  /** What was answered already. */
  known(run: Run, asked: Asked): ExperimentAnswer | undefined {
    return this.answers.get(run)?.get(JSON.stringify(asked));
  }

  /** A later question of the same long job about this run stops the one before; `signal` stops those that are short. @throws ReadingError with a sentence */
  async of(run: Run, asked: Asked, { onProgress, signal }: Watching = {}): Promise<ExperimentAnswer> {
    const known = this.answers.get(run) ?? new Map<string, ExperimentAnswer>();
    this.answers.set(run, known);
    const question = JSON.stringify(asked);
    const before = known.get(question);
    if (before) return before;
    const stopped = asked.job === 'whatIf' ? signal : this.begin(run, asked.job);
    const answer =
      asked.job === 'adviseByRuns' ? await this.byRuns(run, stopped!) : await this.inReader(run, asked, { signal: stopped, onProgress });
    // a profile of its own: the page has it
    if (asked.job !== 'retimed') known.set(question, answer);
    return answer;
  }

  stop(run: Run, job: Job): void {
    this.running.get(run)?.get(job)?.abort();
    this.running.get(run)?.delete(job);
  }

  /** Nobody looks at it any more. */
  forget(run: Run): void {
    for (const controller of this.running.get(run)?.values() ?? []) controller.abort();
    this.running.delete(run);
  }

  dispose() {
    for (const run of this.running.keys()) this.forget(run);
  }

  private inReader(run: Run, asked: ExperimentAsked, watching: Watching): Promise<ExperimentAnswer> {
    return experimentIn(this.reading, recordingOf(run) ?? { bytes: packNkiprof(run.bytes), name: run.title }, asked, watching);
  }

  private async byRuns(run: Run, signal: AbortSignal): Promise<AdviceReport> {
    const report = (await this.of(run, { job: 'advise' })) as AdviceReport;
    const rerun = await rerunOf(run, 'This advice comes');
    if (rerun.reason !== null) throw new Error(rerun.reason);
    const capture = (request: CaptureRequest) => this.simulator.capture(request, {}, signal);
    return adviceByRuns(capture, { profile: run.profile, ...rerun, constants: true }, report);
  }

  private begin(run: Run, job: Job): AbortSignal {
    this.stop(run, job);
    const jobs = this.running.get(run) ?? new Map<Job, AbortController>();
    this.running.set(run, jobs);
    const controller = new AbortController();
    jobs.set(job, controller);
    return controller.signal;
  }
}

/** The file of a recording, which is replayed from what it has itself; null: the profile is no recording, or its file is not on this machine. */
function recordingOf({ identity, profile }: Run): ProfileSource | null {
  if (profile.simulated || identity.of !== 'file') return null;
  const uri = vscode.Uri.parse(identity.uri);
  return uri.scheme === 'file' ? { path: uri.fsPath } : null;
}
