/** NTFF and NEFF files of a small kernel that was never run, written from the layout as it is documented: independent of the readers. */
import zlib from 'node:zlib';

type FieldValue = number | Uint8Array | string;

/** A message of protobuf. */
export function message(...fields: [field: number, value: FieldValue][]): Buffer {
  return Buffer.concat(
    fields.map(([field, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(field << 3), varint(value)]);
      const bytes = Buffer.from(value as string);
      return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}

/** An instruction: bytes at their offsets in 64. */
export function word(...bytes: [at: number, value: number][]): Buffer {
  const word = Buffer.alloc(64);
  for (const [at, value] of bytes) word[at] = value;
  return word;
}

const OPCODE = 0;
export const mark = (hint: number) => word([OPCODE, 0xa6], [36, hint]);
/** Waits for semaphore 9 to reach 16, raises 6. */
export const tensorTensor = () => word([OPCODE, 0x41], [4, 5], [5, 9], [6, 0x13], [7, 6], [8, 16]);
export const write = () => word([OPCODE, 0xa5]);
/** Reads 512 fp32 of each partition at 0x30000 and writes as many to PSUM; 128 rows and columns. */
export const matmul = () =>
  word(
    ...([
      [OPCODE, 0x02],
      [18, 3],
      [20, 1],
      [27, 2],
      [28, 1],
      [30, 1],
      [32, 10],
      [34, 1],
      [38, 128],
      [39, 128],
    ] as [number, number][]),
    ...([
      [51, 2],
      [52, 1],
      [59, 2],
      [60, 1],
      [62, 1],
    ] as [number, number][]),
  );
export const drain = () => word([OPCODE, 0xa2]);
const move = () => word([OPCODE, 0xa7]);
/** Loads 128 rows of a bf16 column of a tensor to 0x802000036f00, then raises the semaphore by 16. */
const dynamicDma = (semaphore: number, offset: number) => {
  const bytes = word(
    [OPCODE, 0xb8],
    [13, semaphore],
    [14, 16],
    [16, offset],
    [20, 1],
    [23, 0x20],
    [24, 2],
    [28, 1],
    [32, 128],
    [34, 1],
    [36, 2],
  );
  bytes.set([0, 0x6f, 3, 0, 0x20, 0x80, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0, 128, 0, 1, 0, 2, 0, 6, 6], 40);
  return bytes;
};
const trigger = (queue: string, id: number) => {
  const bytes = word([OPCODE, 0xc1], [48, id]);
  bytes.write(queue, 12, 'latin1');
  return bytes;
};

const ADDRESS_BYTES = 0x800000000000;
/** Of a device that has been up for months: beyond what float64 holds exactly. */
export const BEGIN_PS = 10_101_415_035_488_513n;
export const TOTAL_PS = 20_000_001;

export interface Instruction {
  engine: number;
  index: number;
  startPs: number;
  endPs: number;
}

export interface Packet {
  engine: number;
  queue: number;
  startPs: number;
  endPs: number;
  donePs: number;
  bytes: number;
}

/** Engines: 0 Tensor, 3 Vector, 4 Sync. */
const PROGRAMS: Readonly<Record<number, readonly Buffer[]>> = {
  0: [matmul()],
  3: [tensorTensor()],
  4: [write(), write()],
};
/** Where a program begins: after an instruction of the runtime's and the mark of begin. */
const FIRST = 2;
/** Of version 6: a trigger is loaded as two words, and GpSimd describes two DMAs itself, the first of them with an offset in a register. */
const PROGRAMS_6: typeof PROGRAMS = {
  ...PROGRAMS,
  2: [move(), dynamicDma(20, 0), dynamicDma(21, 8)],
  4: [write(), write(), write(), write()],
};
/** Places in these programs of what the runtime added. */
const ADDED_6: Readonly<Record<string, readonly number[]>> = { 2: [0], 4: [0, 2] };
/** Number of the core that runs the kernel, of version 6. */
const CORE_6 = 4;

const INSTRUCTIONS: readonly Instruction[] = [
  { engine: 4, index: 1, startPs: 0, endPs: 5_000 },
  { engine: 4, index: 2, startPs: 1_000_000, endPs: 1_060_000 },
  { engine: 4, index: 3, startPs: 1_100_000, endPs: 1_160_000 },
  { engine: 0, index: 2, startPs: 4_000_000, endPs: 4_250_500 },
  { engine: 3, index: 2, startPs: 5_000_000, endPs: 6_200_001 },
  { engine: 4, index: 4, startPs: TOTAL_PS, endPs: TOTAL_PS + 5_000 },
  // of the runtime, before the run
  { engine: 3, index: 0, startPs: -9_000_000, endPs: -8_000_000 },
];

/** Of version 6: the triggers on Sync are two words, and GpSimd has a program. */
const INSTRUCTIONS_6: readonly Instruction[] = [
  ...INSTRUCTIONS.filter(({ engine, index }) => engine !== 4 || index < 3),
  { engine: 4, index: 3, startPs: 1_070_000, endPs: 1_090_000 },
  { engine: 4, index: 4, startPs: 1_100_000, endPs: 1_160_000 },
  { engine: 4, index: 5, startPs: 1_170_000, endPs: 1_190_000 },
  { engine: 4, index: 6, startPs: TOTAL_PS, endPs: TOTAL_PS + 5_000 },
  { engine: 2, index: 2, startPs: 7_900_000, endPs: 7_940_000 },
  { engine: 2, index: 3, startPs: 8_000_000, endPs: 8_032_000 },
  { engine: 2, index: 4, startPs: 8_600_000, endPs: 8_632_000 },
];

/** Two transfers of queue 1 over two engines, and one packet of the runtime. */
const PACKETS: readonly Packet[] = [
  { engine: 0, queue: 1, startPs: 2_000_000, endPs: 2_150_000, donePs: 2_400_000, bytes: 4000 },
  { engine: 0, queue: 1, startPs: 2_150_000, endPs: 2_300_000, donePs: 2_600_000, bytes: 4004 },
  { engine: 1, queue: 1, startPs: 2_010_000, endPs: 2_400_000, donePs: 2_900_000, bytes: 8004 },
  { engine: 0, queue: 1, startPs: 3_000_000, endPs: 3_300_000, donePs: 3_500_000, bytes: 804 },
  { engine: 1, queue: 1, startPs: 3_100_000, endPs: 3_500_000, donePs: 3_700_000, bytes: 804 },
  { engine: 5, queue: 14, startPs: 7_000_000, endPs: 7_010_000, donePs: 7_200_000, bytes: 4 },
];

/** Of version 6: the two that GpSimd describes, of queue 2. */
const PACKETS_6: readonly Packet[] = [
  ...PACKETS,
  { engine: 0, queue: 2, startPs: 8_750_000, endPs: 8_760_000, donePs: 8_900_000, bytes: 128 },
  { engine: 0, queue: 2, startPs: 8_760_000, endPs: 8_770_000, donePs: 8_950_000, bytes: 4 },
  { engine: 1, queue: 2, startPs: 8_755_000, endPs: 8_790_000, donePs: 8_990_000, bytes: 132 },
  { engine: 0, queue: 2, startPs: 9_350_000, endPs: 9_370_000, donePs: 9_500_000, bytes: 132 },
  { engine: 1, queue: 2, startPs: 9_360_000, endPs: 9_380_000, donePs: 9_600_000, bytes: 132 },
];

/** A change of a semaphore, as an event. */
export interface Change {
  /** Engine, from 1; 6: a DMA. */
  by: number;
  semaphore: number;
  value: number;
  timePs: number;
}

export interface NtffParts {
  version?: number;
  /** Of version 4: by how much the clock of each engine is ahead. */
  aheadPs?: Readonly<Record<number, number>>;
  changes?: readonly Change[];
  instructions?: readonly Instruction[];
  packets?: readonly Packet[];
  totalPs?: number;
  queueName?: string;
  /** Of version 4: regions of the runtime before the program. Version 2.23 of the runtime has two, 2.25 three. */
  regionsBefore?: number;
  /** Of version 6, to damage it: where all engines have their instructions, and how often each section is described. */
  wordsAt?: number;
  descriptions?: number;
}

/** Of version 4. VectorE's clock is ahead; its instruction raises semaphore 6. The packets raise 9 and 10, on each DMA engine by one. */
export const APART: NtffParts = {
  version: 4,
  aheadPs: { 3: 1_460_000_000 },
  changes: [
    { by: 6, semaphore: 9, value: 1, timePs: 2_600_000 },
    { by: 6, semaphore: 9, value: 2, timePs: 2_900_000 },
    { by: 6, semaphore: 10, value: 1, timePs: 3_500_000 },
    { by: 6, semaphore: 10, value: 2, timePs: 3_700_000 },
    { by: 4, semaphore: 6, value: 1, timePs: 6_212_001 },
  ],
};

export function ntffFile({
  version = 5,
  aheadPs = {},
  changes,
  instructions = version === 6 ? INSTRUCTIONS_6 : INSTRUCTIONS,
  packets = version === 6 ? PACKETS_6 : PACKETS,
  totalPs = TOTAL_PS,
  queueName = 'qSPIO0',
  regionsBefore = 2,
  wordsAt,
  descriptions = 1,
}: NtffParts = {}): Uint8Array {
  const sections = [
    { kind: 0, bytes: Buffer.concat(instructions.flatMap(one => instructionRecords(one, aheadPs[one.engine] ?? 0))) },
    { kind: 1, bytes: changes ? Buffer.concat(changes.map(changeRecord)) : Buffer.alloc(3 * 16) },
    { kind: 4, bytes: Buffer.concat(inOrder(version === 4 ? packets.map(inCycles) : packets)) },
  ];
  const programs = Object.entries(version === 6 ? PROGRAMS_6 : PROGRAMS).map(([engine, program]) => ({
    engine: Number(engine),
    program,
    words: Buffer.concat([drain(), mark(2), ...program, mark(3)]),
  }));
  const apart = version === 6 ? programs.map(({ words }) => words) : [];
  let offset = 0;
  const placed = (length: number) => {
    offset += length;
    return offset - length;
  };
  const engines = programs.flatMap(one => {
    const place = version === 6 ? placed(one.words.length) : null;
    return [engineField(one, wordsAt ?? place), regionsField(one, version, regionsBefore)];
  });
  const described = sections.map(({ kind, bytes }) => {
    const fields: [number, number][] = [
      [1, kind],
      [5, placed(bytes.length)],
      [6, bytes.length],
    ];
    return message(...fields, ...(version === 6 ? [[7, CORE_6] as [number, number]] : []));
  });
  const queues = version === 6 ? [queueName, 'qPoolDynamic'] : [queueName];
  const graph = message(
    [1, 'sg00'],
    ...(version === 6 ? [[3, CORE_6] as [number, number]] : []),
    ...engines,
    ...(version === 6 ? [] : described.map((section): [number, Buffer] => [6, section])),
    ...queues.flatMap((name, at) => [0, 1].map((engine): [number, Buffer] => [7, message([1, 64 + engine], [2, at + 1], [4, name])])),
    // of one engine alone: others have nameless rings of this number
    ...(version === 6 ? [[7, message([1, 64], [2, 14], [4, 'qActTable'])] as [number, Buffer]] : []),
    [14, totalPs],
  );
  // the first is of a core that is not described here
  const ofOther = message([5, offset], [6, 0], [7, CORE_6 + 1]);
  const ofAll = version === 6 ? [ofOther, ...Array.from({ length: descriptions }, () => described).flat()] : [];
  const description = message(
    [1, 'kernel.neff'],
    [4, message([4, message([1, graph])])],
    [8, message([1, 2], [2, 27], [3, 23])],
    [9, 'trn2.3xlarge'],
    ...ofAll.map((section): [number, Buffer] => [16, section]),
  );
  const head = Buffer.alloc(128);
  // what was in memory, in real ones of version 4
  if (version === 4) head.fill(0xb4, 8);
  head[0] = version;
  head.writeUInt32LE(description.length, 1);
  return new Uint8Array(Buffer.concat([head, description, ...apart, ...sections.map(({ bytes }) => bytes)]));
}

interface LoadedProgram {
  engine: number;
  program: readonly Buffer[];
  words: Buffer;
}

/** @param offset of the words behind the description, in version 6; null: they are in it. */
function engineField({ engine, words }: LoadedProgram, offset: number | null): [number, Buffer] {
  const address: [number, number] = [2, ADDRESS_BYTES + engine * 2 ** 16];
  return [4, offset === null ? message([1, engine], address, [3, words]) : message([1, engine], address, [7, offset], [8, words.length])];
}

/** @param regionsBefore of the runtime, in version 4. Later ones mark the region of the program. */
function regionsField({ engine, program, words }: LoadedProgram, version: number, regionsBefore: number): [number, Buffer] {
  const region = (...fields: [number, number][]): [number, Buffer] => [2, message(...fields)];
  const behind = region([1, 64 * (FIRST + program.length)], [2, 1]);
  const added = version === 6 ? (ADDED_6[engine] ?? []).map(at => region([1, 64 * (FIRST + at)], [2, 1])) : [];
  const marked = [region([1, 0], [2, FIRST]), region([1, 64 * FIRST], [2, 1], [3, 2]), ...added, behind];
  const before = Array.from({ length: regionsBefore }, () => region([1, 0], [2, FIRST - 1]));
  return [5, message([1, engine], ...(version === 4 ? [...before, behind, region([1, words.length], [2, 1])] : marked))];
}

function record(low: number, code: number, payload: number, timePs: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(low, 0);
  bytes.writeUInt16LE(code, 2);
  bytes.writeUInt32LE(payload, 4);
  bytes.writeBigUInt64LE(BEGIN_PS + BigInt(timePs), 8);
  return bytes;
}

function changeRecord({ by, semaphore, value, timePs }: Change): Buffer {
  return record(256 + semaphore, (by << 10) | 0xf3, value, timePs);
}

/** DMAs of version 4: cycles of 0.85 GHz, from another origin. */
function inCycles({ startPs, endPs, donePs, ...packet }: Packet): Packet {
  const cycles = (timePs: number) => Math.round((timePs * 0.85) / 1000) - 5_000_000;
  return { ...packet, startPs: cycles(startPs), endPs: cycles(endPs), donePs: cycles(donePs) };
}

function instructionRecords({ engine, index, startPs, endPs }: Instruction, aheadPs: number): Buffer[] {
  const counter = ((ADDRESS_BYTES + engine * 2 ** 16) / 64 + index) % 2 ** 21;
  const code = ((engine + 1) << 10) | (counter >> 16);
  return [record(counter & 0xffff, code, 0, startPs + aheadPs), record(counter & 0xffff, code | 0x100, 0, endPs + aheadPs)];
}

/** All starts of an engine's queue come in order, and so do its ends. */
function inOrder(packets: readonly Packet[]): Buffer[] {
  const of = ({ engine, queue, bytes }: Packet, kind: number, timePs: number) => ({
    timePs,
    bytes: record(bytes & 0xffff, (engine << 8) | (bytes >> 16), kind | (queue << 4), timePs),
  });
  return packets
    .flatMap(packet => [of(packet, 1, packet.startPs), of(packet, 5, packet.endPs), of(packet, 6, packet.donePs)])
    .sort((a, b) => a.timePs - b.timePs)
    .map(({ bytes }) => bytes);
}

/** Over the files of the NEFF, for version 6: the program of GpSimd. The compiler writes a DMA with an offset in a register as two. */
export const POOL_6: Readonly<Record<string, Uint8Array>> = {
  'sg00/Pool.bin': Buffer.concat([0xb1, 0xcc, 0xd4, 0xda, 0xd4].map(opcode => word([OPCODE, opcode]))),
  'sg00/debug_info_asm_Pool.dbg': message(...[1, 1, 50, 51, 52].map((id): [number, Buffer] => [3, message([3, varint(id)])])),
  'sg00/debug_info_backend_Pool.dbg': message(...[50, 51, 52].map((id): [number, Buffer] => [3, message([1, id], [2, `I-${id}`])])),
};

/** The NEFF of that kernel. @param files over its own, by path */
export function neffFile(files: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  const all = { ...neffContents(), ...files };
  const entries = Object.entries(all).flatMap(([path, content]) => tarEntry(path, Buffer.from(content as string)));
  const tar = Buffer.concat([...entries, Buffer.alloc(1024)]);
  // padded with zeros, as real ones are
  return new Uint8Array(Buffer.concat([Buffer.alloc(1024), zlib.gzipSync(tar), Buffer.alloc(333)]));
}

/** Files of the NEFF, by path. */
export function neffContents(): Record<string, string | Uint8Array> {
  const pseudo = [word([OPCODE, 0xb1]), word([OPCODE, 0xcc])];
  const dma = (id: number, from: string, to: string, sizes: number[]) => ({
    id,
    queue: 'qSPIO0',
    semaphore: 9 + id,
    desc: [{ from, to, from_sizes: sizes, to_sizes: sizes }],
  });
  const names = (...ids: (number | null)[]) =>
    message(...ids.map((id): [number, Buffer] => [3, id === null ? message() : message([3, varint(id)])]));
  return {
    'info.json': JSON.stringify({ tool_version: '2.21' }),
    'sg00/def.json': JSON.stringify({ var: { SB: { type: 'state-buffer' }, a: { type: 'input' }, out: { type: 'output' } } }),
    'sg00/tensor_map.json': JSON.stringify({
      a: { kind: 'input', dtype: 'float32', sim_shape: [128, 1000] },
      out: { kind: 'output', dtype: 'float32', sim_shape: [400] },
    }),
    'sg00/PE.bin': Buffer.concat([...pseudo, matmul()]),
    'sg00/DVE.bin': Buffer.concat([...pseudo, tensorTensor()]),
    'sg00/SP.bin': Buffer.concat([...pseudo, trigger('qSPIO0', 0), trigger('qSPIO0', 1)]),
    'sg00/SP.json': JSON.stringify({ dma: [dma(0, 'a', 'SB', [4000, 4]), dma(1, 'SB', 'out', [400, 4])] }),
    'sg00/debug_info_asm_DVE.dbg': names(null, null, 50),
    'sg00/debug_info_backend_DVE.dbg': message([3, message([1, 50], [2, 'I-8-0'], [3, varint(8)])]),
    'debug_info/debug_info_penguin.dbg_sg000000': message([3, message([1, 8], [2, 'float32<128 x 1000> $8[m]'])]),
  };
}

function tarEntry(path: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(`./${path}`, 0, 'latin1');
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('0', 156, 'latin1');
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}
