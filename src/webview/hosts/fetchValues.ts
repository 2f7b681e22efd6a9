/**
 * Values of instructions from the server that gave the page (`<meta name="nki-scope-values">`): a question is a POST, the answer is
 * lines of JSON that tell how far it is, then a line with the size of the container, then the container.
 */
import type { ViewEvents } from '../protocol/messages';

const NEWLINE = 10;

type Line = ViewEvents['valuesProgress'] | { bytes: number } | { refused: string };

export class FetchedValues {
  private running: AbortController | null = null;

  constructor(
    /** null: values cannot be computed. */
    private readonly url: string | null,
    private readonly onProgress: (progress: ViewEvents['valuesProgress']) => void,
  ) {}

  async obstacle(): Promise<string | null> {
    if (this.url === null) return 'This page has no simulator: open the profile in VS Code or with nki-scope view to see values.';
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`The server answered ${response.status} ${response.statusText}.`);
    return ((await response.json()) as { reason: string | null }).reason;
  }

  async of(instruction: number): Promise<Uint8Array> {
    if (this.url === null) throw new Error('there is no server');
    this.stop();
    const running = new AbortController();
    this.running = running;
    const body = new URLSearchParams({ instruction: String(instruction) });
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
      const line = JSON.parse(new TextDecoder().decode(rest.subarray(0, end))) as Line;
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
