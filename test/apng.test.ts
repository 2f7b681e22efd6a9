/** Pictures joined into an animated one keep their pixels, and anything else is refused. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

declare const NKI_SCOPE_ROOT: string;

interface Chunk {
  type: string;
  data: Buffer;
}

function png(width: number, grey: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const pixels = deflateSync(Buffer.from([0, ...Array<number>(width).fill(grey)]));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

describe('animated pictures', () => {
  let joinPngs: (pngs: Buffer[], frameMs: number) => Buffer;
  let chunksOf: (png: Buffer) => Chunk[];
  before(async () => {
    ({ joinPngs, chunksOf } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/apng.mjs')).href));
  });

  it('have a frame for each picture, in order', () => {
    const chunks = chunksOf(joinPngs([png(2, 10), png(2, 20), png(2, 30)], 500));
    assert.deepEqual(
      chunks.map(({ type }) => type),
      ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'],
    );
    const pixels = chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : type === 'fdAT' ? [data.subarray(4)] : []));
    assert.deepEqual(
      pixels.map(data => [...inflateSync(data)]),
      [
        [0, 10, 10],
        [0, 20, 20],
        [0, 30, 30],
      ],
    );
    const numbers = chunks.flatMap(({ type, data }) => (type === 'fcTL' || type === 'fdAT' ? [data.readUInt32BE(0)] : []));
    assert.deepEqual(numbers, [0, 1, 2, 3, 4]);
  });

  it('are of one size, and of whole pictures', () => {
    assert.throws(() => joinPngs([png(2, 10), png(3, 10)], 500), /differ in size/);
    const broken = png(2, 10);
    broken[40] ^= 1;
    assert.throws(() => joinPngs([broken], 500), /checksum is wrong/);
    assert.throws(() => joinPngs([Buffer.from('GIF89a..')], 500), /not a PNG/);
  });
});
