/**
 * A long request to the server (`cli/longAnswer.ts`): a POST whose answer has lines of JSON with the progress, then a line with the size
 * of the result, then the result.
 */

const NEWLINE = 10;

/** `Progress`: what a line tells. */
type Line<Progress> = Progress | { bytes: number } | { refused: string };

export class LongAnswers<Progress extends object> {
  private running: AbortController | null = null;

  constructor(
    private readonly url: string,
    private readonly onProgress: (progress: Progress) => void,
  ) {}

  /** Stops the previous request. @throws Error with a message for the user */
  async of(question: Record<string, string>): Promise<Uint8Array> {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const body = new URLSearchParams(question);
    const response = await fetch(this.url, { method: 'POST', body, signal: running.signal });
    if (!response.ok || !response.body) throw new Error((await response.text()).trim() || `The server answered ${response.status}.`);
    return this.read(response.body.getReader());
  }

  stop(): void {
    this.running?.abort();
    this.running = null;
  }

  private async read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
    let rest = new Uint8Array(0);
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error('The server stopped in the middle of its answer.');
        rest = joined(rest, value);
        continue;
      }
      const line = JSON.parse(new TextDecoder().decode(rest.subarray(0, end))) as Line<Progress>;
      rest = rest.slice(end + 1);
      if ('refused' in line) throw new Error(line.refused);
      if ('bytes' in line) return whole(reader, rest, line.bytes);
      this.onProgress(line);
    }
  }
}

async function whole(reader: ReadableStreamDefaultReader<Uint8Array>, begun: Uint8Array, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let part: Uint8Array | undefined = begun; part; part = (await reader.read()).value) {
    bytes.set(part.subarray(0, size - at), at);
    at = Math.min(size, at + part.length);
    if (at === size) return bytes;
  }
  throw new Error('The server stopped in the middle of its answer.');
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
