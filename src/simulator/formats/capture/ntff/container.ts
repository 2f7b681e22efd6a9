/**
 * The parts of an NTFF file, as Neuron's runtime writes it for `neuron-profile`: a head, a protobuf message that describes one graph for each
 * physical core, and 16-byte records. The layout was found from public captures; fields have no published names, so each has one here.
 * `records.ts` and the files beside it interpret the records.
 */
import { FormatError } from '../../../columns/container';
import { ProtobufMessage } from './protobuf';
import { RECORD_BYTES } from './records';

const HEAD_BYTES = 128;
/** Bytes of an instruction in the engine's memory. */
export const WORD_BYTES = 64;
/** Trn1 with runtime 2.23, Trn2 with runtime 2.27, and Trn2 with runtime 2.30. */
const VERSIONS = [4, 5, 6] as const;
export type NtffVersion = (typeof VERSIONS)[number];
/** The first byte is a version up to this. A larger one means that the file is no NTFF. */
const MOST_VERSION = 31;
/** Physical cores of a logical one, generously. */
const MOST_GRAPHS = 16;
const MOST_ENGINES = 8;
const MOST_RINGS = 4096;
/** Of version 6, which describes those of all cores in one list: recordings of two cores have 22. */
const MOST_SECTIONS = 4096;
/** 11 days, in picoseconds: `total_time` beyond it is none. */
const MOST_TOTAL_PS = 1e18;

/** Kinds of record sections. */
export const SECTION = { instructions: 0, events: 1, dma: 4 } as const;

/** Engines as the file numbers them. */
export const ENGINES = ['Tensor', 'Scalar', 'GpSimd', 'Vector', 'Sync'] as const;

export interface NtffEngine {
  /** Address of its instructions in the device's memory. */
  addressBytes: number;
  /** Instructions as loaded, `WORD_BYTES` each: the runtime's and the program's. */
  words: Uint8Array;
  /** The user's program: indices in `words`. */
  program: { first: number; end: number };
}

export interface NtffRing {
  /** DMA engine, from 64. */
  engine: number;
  queue: number;
  name: string;
}

/** The recording of one physical core. */
export interface NtffGraph {
  name: string;
  engines: ReadonlyMap<number, NtffEngine>;
  rings: NtffRing[];
  /** By `SECTION`; views of the file. */
  sections: ReadonlyMap<number, Uint8Array[]>;
  /** `total_time` of `neuron-profile`, picoseconds; 0 if it is missing. */
  totalPs: number;
}

export interface Ntff {
  version: NtffVersion;
  neffName: string;
  instanceType: string;
  runtime: string;
  /** The first is the core that runs the kernel. */
  graphs: NtffGraph[];
}

/** These bytes after the length must be zero. The rest of the head has random content in version 4. */
const ZEROS = { from: 5, to: 8 } as const;
/** The description's first field, a text. */
const FIRST_FIELD = 0x0a;

/** Whether the first bytes can be an NTFF of any version: a small number, a length, zeros; and the description, if they are so many. */
export function looksLikeNtff(head: Uint8Array): boolean {
  const isVersion = head[0] > 0 && head[0] <= MOST_VERSION;
  const isHead = isVersion && head.length >= ZEROS.to && head.subarray(ZEROS.from, ZEROS.to).every(byte => byte === 0);
  return isHead && (head.length <= HEAD_BYTES || head[HEAD_BYTES] === FIRST_FIELD);
}

/** Bytes by which `looksLikeNtff` is sure. */
export const NTFF_HEAD_BYTES = HEAD_BYTES + 1;

/** @throws FormatError when it is no NTFF, one of another version, or damaged. */
export function readContainer(file: Uint8Array): Ntff {
  if (file.length < HEAD_BYTES) throw damaged('it is cut off in its head');
  const version = VERSIONS.find(known => known === file[0]);
  if (version === undefined)
    throw new FormatError(`the NTFF has version ${file[0]}, whose layout is not known; versions 4, 5 and 6 are read`);
  const messageBytes = new DataView(file.buffer, file.byteOffset).getUint32(1, true);
  if (messageBytes > file.length - HEAD_BYTES) throw damaged('it is cut off: its description is longer than the file');
  const message = new ProtobufMessage(file.subarray(HEAD_BYTES, HEAD_BYTES + messageBytes), 'the NTFF');
  const described = message.messages(4)[0]?.messages(4)[0]?.messages(1) ?? [];
  if (described.length === 0) throw new FormatError('the NTFF describes no core: nothing was recorded');
  if (described.length > MOST_GRAPHS) throw damaged(`it describes ${described.length} cores`);
  const parts = { bytes: file.subarray(HEAD_BYTES + messageBytes), sections: version === 6 ? message.messages(16) : [], version };
  if (parts.sections.length > MOST_SECTIONS) throw damaged(`it describes ${parts.sections.length} sections`);
  const graphs = described.map(graph => graphOf(graph, parts));
  checkSizes(graphs, parts);
  return { version, neffName: message.text(1), instanceType: message.text(9), runtime: versionOf(message.messages(8)[0]), graphs };
}

const damaged = (why: string) => new FormatError(`the NTFF is damaged: ${why}`);

/** What stands outside of the descriptions of the cores. */
interface Parts {
  version: NtffVersion;
  /** Behind the description. */
  bytes: Uint8Array;
  /** Descriptions of those of all cores, in version 6. */
  sections: readonly ProtobufMessage[];
}

/** Parts must not share bytes, or a small file could contain very many records. */
function checkSizes(graphs: readonly NtffGraph[], { bytes, version }: Parts) {
  const sections = graphs.flatMap(graph => [...graph.sections.values()].flat());
  const words = version === 6 ? graphs.flatMap(({ engines }) => Array.from(engines.values(), engine => engine.words)) : [];
  const size = [...sections, ...words].reduce((sum, { length }) => sum + length, 0);
  if (size > bytes.length) throw damaged('its sections overlap');
}

function graphOf(graph: ProtobufMessage, parts: Parts): NtffGraph {
  const totalPs = graph.number(14);
  if (totalPs > MOST_TOTAL_PS) throw damaged('its total time makes no sense');
  const number = graph.number(3);
  const own = parts.version === 6 ? parts.sections.filter(section => section.number(7) === number) : graph.messages(6);
  return {
    name: graph.text(1),
    engines: enginesOf(graph, parts),
    rings: ringsOf(graph),
    sections: sectionsOf(own, parts),
    totalPs,
  };
}

function enginesOf(graph: ProtobufMessage, parts: Parts): Map<number, NtffEngine> {
  const regions = new Map(graph.messages(5).map(one => [one.number(1), one.messages(2)]));
  const engines = new Map<number, NtffEngine>();
  for (const one of graph.messages(4)) {
    const index = one.number(1);
    if (index >= MOST_ENGINES) throw damaged(`it names an engine ${index}`);
    // version 6 has them before the records
    const words = parts.version === 6 ? partOf(parts, one.number(7), one.number(8)) : one.bytes(3);
    const program = programOf(regions.get(index) ?? [], words.length, parts.version);
    engines.set(index, { addressBytes: one.number(2), words, program });
  }
  return engines;
}

function partOf({ bytes }: Parts, offset: number, size: number): Uint8Array {
  if (offset > bytes.length || size > bytes.length - offset) throw damaged('it is cut off: records are missing');
  return bytes.subarray(offset, offset + size);
}

const PROGRAM = { 4: unmarkedProgram, 5: markedProgram, 6: brokenProgram } as const;

function programOf(regions: readonly ProtobufMessage[], wordsBytes: number, version: NtffVersion): NtffEngine['program'] {
  const [first, end] = PROGRAM[version](regions);
  if (end < first || end * WORD_BYTES > wordsBytes) throw damaged("an engine's program lies outside of its instructions");
  return { first, end };
}

const indexOf = (region: ProtobufMessage) => Math.floor(region.number(1) / WORD_BYTES);

/** Kind 2 starts the user's program; the next region ends it. */
function markedProgram(regions: readonly ProtobufMessage[]): [first: number, end: number] {
  const at = regions.findIndex(region => region.number(3) === 2);
  return at < 0 || at + 1 >= regions.length ? [0, 0] : [indexOf(regions[at]), indexOf(regions[at + 1])];
}

/** Kind 2 starts it, too. What the runtime inserted for DMAs has regions inside of it; the last region ends it. */
function brokenProgram(regions: readonly ProtobufMessage[]): [first: number, end: number] {
  const [from, to] = [regions.find(region => region.number(3) === 2), regions.at(-1)];
  return from && to && from !== to ? [indexOf(from), indexOf(to)] : [0, 0];
}

/** Behind the last region but two comes an instruction, then the user's program up to the next region. Runtime 2.23 has two regions before it, 2.25 three. */
function unmarkedProgram(regions: readonly ProtobufMessage[]): [first: number, end: number] {
  const [before, after] = regions.slice(-3);
  return regions.length >= 3 ? [indexOf(before) + before.number(2) + 1, indexOf(after)] : [0, 0];
}

function ringsOf(graph: ProtobufMessage): NtffRing[] {
  const rings = graph.messages(7).map(ring => ({ engine: ring.number(1), queue: ring.number(2), name: ring.text(4) }));
  if (rings.length > MOST_RINGS) throw damaged(`it names ${rings.length} DMA rings`);
  return rings;
}

function sectionsOf(described: readonly ProtobufMessage[], parts: Parts): Map<number, Uint8Array[]> {
  const sections = new Map<number, Uint8Array[]>();
  for (const section of described) {
    const [kind, offset, size] = [section.number(1), section.number(5), section.number(6)];
    if (size % RECORD_BYTES !== 0) throw damaged('a section ends inside a record');
    const part = partOf(parts, offset, size);
    const known = sections.get(kind);
    if (known) known.push(part);
    else sections.set(kind, [part]);
  }
  return sections;
}

/** `2.27.23`; empty if it is missing. */
const versionOf = (version: ProtobufMessage | undefined) => (version ? [1, 2, 3].map(field => version.number(field)).join('.') : '');
