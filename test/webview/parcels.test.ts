/** Large arrays of messages cross in pieces with buffers of their own, arrive as they were, and messages keep their order. */
import assert from 'node:assert/strict';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { Port } from '../../src/webview/protocol/channel';
import { type ParcelReceived, receivingParcels, sendingParcels } from '../../src/webview/protocol/parcels';
import { random } from '../support/syntheticProfile';

const deflate = promisify(deflateRaw) as (bytes: Uint8Array) => Promise<Uint8Array>;

/** Hands over what structured clones of messages would. */
function linked() {
  const crossed: unknown[] = [];
  const handlers: ((message: unknown) => void)[] = [];
  const port: Port = {
    post: message => {
      crossed.push(message);
      const copy = structuredClone(message);
      for (const handler of handlers) queueMicrotask(() => handler(copy));
    },
    listen: handler => {
      handlers.push(handler);
      return () => {};
    },
  };
  const progress: ParcelReceived[] = [];
  const received: unknown[] = [];
  const sender = sendingParcels(port, deflate);
  receivingParcels(
    port,
    bytes => bytes,
    share => progress.push(share),
  ).listen(message => received.push(message));
  const untilReceived = async (count: number) => {
    while (received.length < count) await new Promise(resolve => setTimeout(resolve, 1));
    return received;
  };
  return { sender, crossed, progress, untilReceived };
}

/** Hardly packs. */
const noise = (length: number) => {
  const next = random(3);
  return Uint8Array.from({ length }, () => Math.floor(next() * 256));
};

describe('parcels', () => {
  const profile = noise(3_500_000);

  it('bring large arrays of a message as they were, wherever they stand', async () => {
    const { sender, untilReceived } = linked();
    const message = {
      type: 'event',
      value: {
        above: true,
        profiles: [
          { key: 'a', bytes: profile },
          { key: 'b', bytes: noise(10) },
        ],
      },
    };
    sender.post(message);
    assert.deepEqual(await untilReceived(1), [message]);
  });

  it('cross in pieces that share no buffer, and say how much of them is there', async () => {
    const { sender, crossed, progress, untilReceived } = linked();
    sender.post({ type: 'reply', id: 1, value: profile });
    await untilReceived(1);
    const pieces = crossed.flatMap(message =>
      (message as { type: string }).type === 'parcel' ? [(message as { bytes: Uint8Array }).bytes] : [],
    );
    assert.ok(pieces.length >= 3);
    for (const piece of pieces) assert.deepEqual([piece.constructor, piece.buffer.byteLength], [Uint8Array, piece.length]);
    assert.deepEqual(
      progress.map(({ receivedBytes }) => receivedBytes),
      pieces.map((_, i) => pieces.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0)),
    );
    assert.equal(progress.at(-1)!.receivedBytes, progress[0].totalBytes);
  });

  it('keep messages in the order in which they were sent', async () => {
    const { sender, untilReceived } = linked();
    const messages = [{ n: 1 }, { n: 2, bytes: profile }, { n: 3 }, { n: 4, bytes: noise(2_000_000) }, { n: 5 }];
    for (const message of messages) sender.post(message);
    const received = await untilReceived(5);
    assert.deepEqual(
      received.map(message => (message as { n: number }).n),
      [1, 2, 3, 4, 5],
    );
    sender.post({ n: 6 });
    assert.equal((await untilReceived(6)).length, 6);
  });

  it('leave small messages alone', () => {
    const { sender, crossed } = linked();
    const message = { bytes: noise(100), list: [1, 'two', null] };
    sender.post(message);
    assert.equal(crossed[0], message);
  });
});
