/** Experiments with the profile by the server that gave the page (`<meta name="nki-scope-experiments">`). */
import type { ExperimentAnswers, ExperimentAsked } from '../protocol/experiments';
import type { ViewEvents } from '../protocol/messages';
import { LongAnswers } from './longAnswer';

type Job = ExperimentAsked['job'];

export class FetchedExperiments {
  private readonly running = new Map<Job, LongAnswers<{ share: number }>>();

  constructor(
    /** null: nobody to ask. */
    readonly url: string | null,
    private readonly onProgress: (progress: ViewEvents['experimentProgress']) => void,
  ) {}

  async of(asked: ExperimentAsked): Promise<ExperimentAnswers[keyof ExperimentAnswers]> {
    if (this.url === null) throw new Error('there is no server');
    const { job } = asked;
    const answers = new LongAnswers<{ share: number }>(this.url, ({ share }) => this.onProgress({ job, share }));
    if (job !== 'whatIf') {
      this.stop(job);
      this.running.set(job, answers);
    }
    return JSON.parse(new TextDecoder().decode(await answers.of({ asked: JSON.stringify(asked) })));
  }

  stop(job: Job): void {
    this.running.get(job)?.stop();
    this.running.delete(job);
  }
}
