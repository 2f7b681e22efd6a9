import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeMessage, MAX_HEADER_BYTES, MessageReader, WireError, type WireMessage } from '../../../src/simulator/frontend/wire';

const whole = (header: object, payload?: Uint8Array) => Buffer.concat(encodeMessage(header, payload));

function readInPieces(bytes: Uint8Array, sizes: number[]): WireMessage[] {
  const reader = new MessageReader();
  const messages: WireMessage[] = [];
  for (let at = 0, k = 0; at < bytes.length; k++) {
    const size = Math.max(1, sizes[k % sizes.length]);
    messages.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  assert.equal(reader.pending, false);
  return messages;
}

function head(headerBytes: number, payloadBytes: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, headerBytes, true);
  new DataView(bytes.buffer).setUint32(4, payloadBytes, true);
  return bytes;
}

describe('wire framing', () => {
  it('gives back any messages, however the bytes are cut', () => {
    const message = fc.record({ header: fc.dictionary(fc.string(), fc.jsonValue()), payload: fc.uint8Array({ maxLength: 300 }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, sizes) => {
        const got = readInPieces(Buffer.concat(sent.map(m => whole(m.header, m.payload))), sizes);
        const plain = (header: object) => JSON.parse(JSON.stringify(header));
        assert.deepEqual(
          got.map(m => ({ header: m.header, payload: [...m.payload] })),
          sent.map(m => ({ header: plain(m.header), payload: [...m.payload] })),
        );
      }),
      { seed: 1 },
    );
  });

  it('copies: a piece may be memory that changes afterwards', () => {
    const bytes = Uint8Array.from(whole({ call: 'x' }, Uint8Array.of(1, 2, 3)));
    const reader = new MessageReader();
    reader.push(bytes.subarray(0, bytes.length - 1));
    const last = bytes.slice(-1);
    bytes.fill(0);
    assert.deepEqual([...reader.push(last)[0].payload], [1, 2, 3]);
  });

  it('says that it is in the middle of a message', () => {
    const reader = new MessageReader();
    reader.push(whole({ call: 'x' }).subarray(0, 9));
    assert.equal(reader.pending, true);
  });

  for (const [what, bytes] of [
    ['a header beyond the limit', head(MAX_HEADER_BYTES + 1, 0)],
    ['a header of 4 GB', head(0xffffffff, 0)],
    ['an empty header', head(0, 10)],
    ['a payload beyond 2 GB', head(2, 0x80000000)],
    ['a header that is not JSON', Buffer.concat([head(3, 0), Buffer.from('{a}')])],
    ['a header that is not UTF-8', Buffer.concat([head(2, 0), Uint8Array.of(0xff, 0xfe)])],
    ['a header that is not an object', Buffer.concat([head(2, 0), Buffer.from('[]')])],
  ] as const)
    it(`refuses ${what} before allocating for it`, () => assert.throws(() => new MessageReader().push(bytes), WireError));
});
