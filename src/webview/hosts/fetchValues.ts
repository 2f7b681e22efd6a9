/** Values of instructions from the server that gave the page (`<meta name="nki-scope-values">`). */
import type { ViewEvents } from '../protocol/messages';
import { LongAnswers } from './longAnswer';

export class FetchedValues {
  private readonly answers: LongAnswers<ViewEvents['valuesProgress']> | null;

  constructor(
    /** null: values cannot be computed. */
    private readonly url: string | null,
    onProgress: (progress: ViewEvents['valuesProgress']) => void,
  ) {
    this.answers = url === null ? null : new LongAnswers(url, onProgress);
  }

  async obstacle(): Promise<string | null> {
    if (this.url === null) return 'This page has no simulator: open the profile in VS Code or with nki-scope view to see values.';
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`The server answered ${response.status} ${response.statusText}.`);
    return ((await response.json()) as { reason: string | null }).reason;
  }

  async of(instruction: number): Promise<Uint8Array> {
    if (!this.answers) throw new Error('there is no server');
    return this.answers.of({ instruction: String(instruction) });
  }

  stop(): void {
    this.answers?.stop();
  }
}
