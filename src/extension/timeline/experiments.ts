/**
 * Experiments with runs, for timelines and hovers: carried out in the reading worker, nothing of the kernel is run. What was answered about
 * a run is kept for as long as the run is.
 */
import type * as vscode from 'vscode';
import {
  type ExperimentAnswer,
  type ExperimentAsked,
  experimentIn,
  packNkiprof,
  type ReadingClient,
  type Watching,
} from '../../simulator/index';
import type { Run } from '../run/run';

type Job = ExperimentAsked['job'];

export class Experiments implements vscode.Disposable {
  private readonly answers = new WeakMap<Run, Map<string, ExperimentAnswer>>();
  private readonly running = new Map<Run, Map<Job, AbortController>>();

  constructor(private readonly reading: ReadingClient) {}

  /** What was answered already. */
  known(run: Run, asked: ExperimentAsked): ExperimentAnswer | undefined {
    return this.answers.get(run)?.get(JSON.stringify(asked));
  }

  /** A later question of the same long job about this run stops the one before; `signal` stops those that are short. @throws ReadingError with a sentence */
  async of(run: Run, asked: ExperimentAsked, { onProgress, signal }: Watching = {}): Promise<ExperimentAnswer> {
    const known = this.answers.get(run) ?? new Map<string, ExperimentAnswer>();
    this.answers.set(run, known);
    const question = JSON.stringify(asked);
    const before = known.get(question);
    if (before) return before;
    const stopped = asked.job === 'whatIf' ? signal : this.begin(run, asked.job);
    const source = { bytes: packNkiprof(run.bytes), name: run.title };
    const answer = await experimentIn(this.reading, source, asked, { signal: stopped, onProgress });
    known.set(question, answer);
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

  private begin(run: Run, job: Job): AbortSignal {
    this.stop(run, job);
    const jobs = this.running.get(run) ?? new Map<Job, AbortController>();
    this.running.set(run, jobs);
    const controller = new AbortController();
    jobs.set(job, controller);
    return controller.signal;
  }
}
