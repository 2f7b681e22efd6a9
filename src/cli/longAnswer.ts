/**
 * The answer to a question that takes a while, as the served page reads it (`webview/hosts/longAnswer.ts`): lines of JSON that tell how far it
 * is, then a line with the size of what was asked for, then that; or a line that says why there is nothing.
 */

/**
 * @param work tells how far it is; what it throws ends the answer in the middle
 * @param refusal what to say instead, for errors that the user can do something about; null: it is none of these
 */
export async function* longAnswer<Progress extends object>(
  work: (tell: (progress: Progress) => void) => Promise<Uint8Array>,
  refusal: (error: unknown) => string | null,
): AsyncGenerator<Uint8Array> {
  const told = new Told<Progress>();
  const answer = work(progress => told.tell(progress));
  answer.then(
    () => told.end(),
    () => told.end(),
  );
  for await (const progress of told) yield line(progress);
  try {
    const bytes = await answer;
    yield line({ bytes: bytes.length });
    yield bytes;
  } catch (error) {
    const refused = refusal(error);
    if (refused === null) throw error;
    yield line({ refused });
  }
}

const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

/** The latest of what was told, for one who listens in their own time. */
class Told<T> implements AsyncIterable<T> {
  private latest: T | null = null;
  private ended = false;
  private wake = () => {};

  tell(value: T): void {
    this.latest = value;
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.ended) {
      if (this.latest === null) await new Promise<void>(resolve => (this.wake = resolve));
      const value = this.latest;
      this.latest = null;
      if (value !== null) yield value;
    }
  }
}
