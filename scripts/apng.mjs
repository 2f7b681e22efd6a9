// Joins PNG files of one size and colour type into one animated PNG. Their compressed pixels are taken as they are.
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @param {Buffer[]} pngs @param {number} frameMs how long each is seen */
export function joinPngs(pngs, frameMs) {
  const [first, ...others] = pngs.map(chunksOf);
  const head = first.find(({ type }) => type === 'IHDR').data;
  for (const chunks of others)
    if (!chunks.find(({ type }) => type === 'IHDR').data.equals(head)) throw new Error('the pictures differ in size or colour type');
  let sequence = 0;
  const control = () => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence++, 0);
    head.copy(data, 4, 0, 8);
    data.writeUInt16BE(frameMs, 20);
    data.writeUInt16BE(1000, 22);
    return chunk('fcTL', data);
  };
  const numbered = data => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return chunk('fdAT', Buffer.concat([number, data]));
  };
  const count = Buffer.alloc(8);
  count.writeUInt32BE(pngs.length);
  const pixels = chunks => chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('acTL', count),
    control(),
    ...pixels(first).map(data => chunk('IDAT', data)),
    ...others.flatMap(chunks => [control(), ...pixels(chunks).map(numbered)]),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @returns {{ type: string, data: Buffer }[]} */
export function chunksOf(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== png.readUInt32BE(at + 8 + length)) throw new Error('a PNG whose checksum is wrong');
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
