/** The DMAs of a NEFF: source, destination and size of each DMA that an engine triggers, in the order of the triggers. */
import { asText } from '../values';
import { damaged } from './archive';

export interface NeffDma {
  queue: string;
  /** Semaphore that it raises; null when it names none. */
  semaphore: number | null;
  /** Tensor on the HBM side, else the source. */
  variable: string;
  /** `hbm`, `sbuf`, `psum`. */
  from: string;
  to: string;
  /** Read and written; they differ where the DMA casts. */
  readBytes: number;
  writeBytes: number;
  /** Runs of bytes that lie together on both sides. */
  elements: number;
  /** Runs that it writes one after another: bytes of each, distance of their starts, number of those with this distance. */
  writes: RunsWritten;
}

export interface RunsWritten {
  bytes: number;
  stepBytes: number;
  count: number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws FormatError */
export function jsonObject(bytes: Uint8Array | undefined, what: string): JsonObject {
  if (!bytes) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw damaged(`${what} does not parse`);
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
export const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The memory of a variable of the NEFF, by the types in `def.json`. */
export type MemoryOf = (variable: string) => string;

export function memories(definition: JsonObject): MemoryOf {
  const variables = isObject(definition.var) ? definition.var : {};
  return name => {
    const known = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const type = isObject(known) ? asText(known.type) : '';
    if (type === 'state-buffer' || name === 'SB') return 'sbuf';
    if (type.startsWith('psum') || name.startsWith('PSUM')) return 'psum';
    return type === '' ? 'unknown' : 'hbm';
  };
}

/** DMAs of an engine's list by queue and number. */
export function dmasById(list: JsonObject, memoryOf: MemoryOf): Map<string, NeffDma> {
  const known = new Map<string, NeffDma>();
  for (const dma of objects(list.dma)) {
    const queue = asText(dma.queue);
    const parts = objects(dma.desc);
    if (queue === '' || typeof dma.id !== 'number' || parts.length === 0) continue;
    const [source, target] = [asText(parts[0].from), asText(parts[0].to)];
    const [from, to] = [memoryOf(source), memoryOf(target)];
    known.set(`${queue} ${dma.id}`, {
      queue,
      semaphore: typeof dma.semaphore === 'number' ? dma.semaphore : null,
      variable: from === 'hbm' || to !== 'hbm' ? source : target,
      from,
      to,
      readBytes: sum(parts, 'from_sizes'),
      writeBytes: sum(parts, 'to_sizes'),
      elements: parts.reduce((count, part) => count + Math.max(runs(part.from_sizes), runs(part.to_sizes)), 0),
      writes: writesOf(parts[0]),
    });
  }
  return known;
}

/** Of the innermost dimension. Sizes and steps have it after the run itself. */
function writesOf({ from_sizes, to_sizes, to_steps }: JsonObject): RunsWritten {
  const [[read], [written, count], [, stepBytes]] = [from_sizes, to_sizes, to_steps].map(wholeNumbers);
  const bytes = Math.min(read ?? 0, written ?? 0);
  if (bytes > 0 && bytes < written) return { bytes, stepBytes: bytes, count: written / bytes };
  return { bytes, stepBytes: stepBytes ?? 0, count: count ?? 1 };
}

const wholeNumbers = (values: unknown): number[] => (Array.isArray(values) ? values.filter(value => Number.isSafeInteger(value)) : []);

/** The first size is in bytes, the others are counts. */
const sum = (parts: readonly JsonObject[], field: string) => parts.reduce((bytes, part) => bytes + product(part[field]), 0);

const runs = (sizes: unknown) => (Array.isArray(sizes) ? product(sizes.slice(1)) : 0);

const product = (sizes: unknown) =>
  Array.isArray(sizes) && sizes.every(size => Number.isSafeInteger(size) && size >= 0) ? sizes.reduce((n: number, size) => n * size, 1) : 0;

/** Byte offsets in the compiler's word for a trigger. */
const AT = { queue: 12, queueEnd: 48, id: 48 } as const;

/** Which DMA of the engine's list a trigger starts. */
export function triggeredBy(word: Uint8Array, dmas: ReadonlyMap<string, NeffDma>): NeffDma | undefined {
  const name = word.subarray(AT.queue, AT.queueEnd);
  const end = name.indexOf(0);
  const queue = new TextDecoder('latin1').decode(end < 0 ? name : name.subarray(0, end));
  return dmas.get(`${queue} ${new DataView(word.buffer, word.byteOffset).getUint32(AT.id, true)}`);
}
