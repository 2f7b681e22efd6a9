/** Reads the body of a response, and reports how much was received. */

export interface Received {
  receivedBytes: number;
  /** null: the response does not give its length. */
  totalBytes: number | null;
}

export async function receive({ headers, body }: Response, onReceived: (received: Received) => void): Promise<Uint8Array<ArrayBuffer>> {
  // a compressed response gives its compressed length
  const length = headers.has('content-encoding') ? null : Number(headers.get('content-length') ?? Number.NaN);
  const totalBytes = length !== null && Number.isFinite(length) ? length : null;
  const pieces: Uint8Array[] = [];
  let receivedBytes = 0;
  const reader = body!.getReader();
  for (;;) {
    onReceived({ receivedBytes, totalBytes });
    const { done, value } = await reader.read();
    if (done) return joined(pieces, receivedBytes);
    pieces.push(value);
    receivedBytes += value.length;
  }
}

function joined(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
