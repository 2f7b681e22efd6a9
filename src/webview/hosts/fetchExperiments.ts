/**
 * Experiments with the profile: by the server that gave the page (`<meta name="nki-scope-experiments">`), or as a report has them in itself
 * (`<script type="application/json" id="experiments">`).
 */
import type { ExperimentAnswers, ExperimentAsked } from '../protocol/experiments';
import type { ViewEvents } from '../protocol/messages';
import { LongAnswers } from './longAnswer';

type Job = ExperimentAsked['job'];

export class FetchedExperiments {
  private readonly running = new Map<Job, LongAnswers<{ share: number }>>();

  constructor(
    /** null: nobody to ask. */
    private readonly url: string | null,
    /** Answers that came with the page. */
    private readonly given: Partial<ExperimentAnswers> | null,
    private readonly onProgress: (progress: ViewEvents['experimentProgress']) => void,
  ) {}

  get areThere(): boolean {
    return this.url !== null || this.given !== null;
  }

  async of(asked: ExperimentAsked): Promise<ExperimentAnswers[keyof ExperimentAnswers]> {
    const { job } = asked;
    const known = job === 'whatIf' && asked.wishes !== null ? undefined : this.given?.[job];
    if (known) return known;
    if (this.url === null) throw new Error(NO_SIMULATOR);
    const answers = new LongAnswers<{ share: number }>(this.url, ({ share }) => this.onProgress({ job, share }));
    if (job !== 'whatIf') {
      this.stop(job);
      this.running.set(job, answers);
    }
    const answer = await answers.of({ asked: JSON.stringify(asked) });
    return job === 'retimed' ? answer : JSON.parse(new TextDecoder().decode(answer));
  }

  stop(job: Job): void {
    this.running.get(job)?.stop();
    this.running.delete(job);
  }
}

const NO_SIMULATOR = 'This page has no simulator: open the profile in VS Code, or with nki-scope view, to try other changes.';
