/** Recordings of Neuron's runtime: bytes of the NTFF, of its description and its records, and of what the NEFF's archive holds. */
import { FormatError } from '../../../src/simulator/columns/container';
import { readNtff } from '../../../src/simulator/formats/capture/ntff/read';
import { APART, type Instruction, neffContents, neffFile, ntffFile, type Packet, POOL_6 } from '../../support/ntffFile';
import { mutateBytes, mutateJson } from './mutations';
import { below, type FuzzTarget, pick, type Random, readOrRefuse } from './target';
import { useProfile } from './useProfile';

const recording6 = ntffFile({ version: 6 });
const originals = [
  ntffFile(),
  ntffFile({ version: 4 }),
  ntffFile(APART),
  recording6,
  ntffFile({ instructions: someInstructions(), packets: somePackets() }),
];
const contents = neffContents();
const neff = neffFile();
/** Of version 6. */
const neff6 = neffFile(POOL_6);
const RECORD_BYTES = 16;

function someInstructions(): Instruction[] {
  const marks = [
    { engine: 4, index: 1, startPs: 0, endPs: 5 },
    { engine: 4, index: 4, startPs: 90_000, endPs: 90_005 },
  ];
  const many = Array.from({ length: 40 }, (_, k) => ({ engine: [0, 3, 4][k % 3], index: 2, startPs: 100 * k, endPs: 100 * k + 700 }));
  return [...marks, ...many];
}

function somePackets(): Packet[] {
  return Array.from({ length: 40 }, (_, k) => ({
    ...{ engine: k % 4, queue: k % 2, startPs: 200 * k, endPs: 200 * k + 150, donePs: 200 * k + 300 },
    bytes: k % 5 === 0 ? 516 : 512,
  }));
}

/** Single bytes of the description or of the records, which keeps lengths right; or anything. */
function mutantNtff(next: Random): Uint8Array {
  const original = pick(next, originals);
  if (next() < 0.2) return mutateBytes(original, next);
  const description = 128 + new DataView(original.buffer, original.byteOffset).getUint32(1, true);
  const copy = original.slice();
  const [from, to] = next() < 0.5 ? [128, description] : [description, original.length];
  for (let n = 1 + below(next, 4); n > 0; n--)
    copy[from + below(next, to - from)] = next() < 0.3 ? pick(next, [0, 1, 127, 128, 255]) : below(next, 256);
  if (next() < 0.2) copy.copyWithin(description, description + RECORD_BYTES * below(next, 8));
  return copy;
}

/** A file of the archive changed, the archive right; or the archive's bytes. */
function mutantNeff(next: Random): Uint8Array {
  if (next() < 0.3) return mutateBytes(neff, next);
  const file = pick(next, Object.keys(contents));
  if (!file.endsWith('.json') || next() < 0.2)
    return neffFile({ [file]: mutateBytes(new Uint8Array(Buffer.from(contents[file] as string)), next) });
  const json = JSON.parse(String(contents[file]));
  mutateJson(json, next);
  return neffFile({ [file]: JSON.stringify(json) });
}

export const ntffTarget: FuzzTarget = next => {
  const isNtff = next() < 0.6;
  const file = isNtff ? mutantNtff(next) : pick(next, [originals[0], recording6]);
  const given = isNtff ? pick(next, [undefined, undefined, neff, neff6]) : mutantNeff(next);
  const options = { name: 'x', neff: given && { bytes: given, required: next() < 0.7 } };
  return readOrRefuse(() => useProfile(readNtff(file, options)), [FormatError]);
};
