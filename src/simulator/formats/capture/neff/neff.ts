/**
 * The data of a NEFF that its recording does not have: names of instructions, the DMAs that they trigger, tensors, the compiler's
 * version. It reads one core's program. Weights, and data that the recording has, are ignored.
 */
import { DMA_TRIGGER } from '../ntff/words';
import type { CapturedTensor } from '../rows';
import { asText } from '../values';
import { unpackNeff } from './archive';
import { dmasById, isObject, type JsonObject, jsonObject, memories, type NeffDma, triggeredBy } from './dmaList';
import { instructionNames } from './names';

/** Engines by the names of their files, in the order in which NTFF numbers them. */
const FILES = ['PE', 'Activation', 'Pool', 'DVE', 'SP'] as const;
const WORD_BYTES = 64;

export interface NeffEngine {
  /** Instructions as the compiler wrote them, `WORD_BYTES` each. */
  words: Uint8Array;
  /** Row by row with `words`; may be shorter. */
  names: string[];
  /** By the index of the triggering instruction. */
  triggers: ReadonlyMap<number, NeffDma>;
}

export interface Neff {
  compiler: string;
  /** In the order of the NTFF's numbers. */
  engines: NeffEngine[];
  tensors: CapturedTensor[];
}

/** @param graph of the core whose program is read: `sg00` @throws FormatError */
export function readNeff(file: Uint8Array, graph: string): Neff {
  const files = unpackNeff(file, wantedOf(graph));
  const json = (path: string) => jsonObject(files.get(path), path);
  const definition = json(`${graph}/def.json`);
  const memoryOf = memories(definition);
  const frontEnd = files.get(frontEndOf(graph));
  return {
    compiler: asText(json('info.json').tool_version),
    tensors: tensorsOf(json(`${graph}/tensor_map.json`)),
    engines: FILES.map(engine => {
      const words = files.get(`${graph}/${engine}.bin`) ?? new Uint8Array(0);
      const debug = (kind: string) => files.get(`${graph}/debug_info_${kind}_${engine}.dbg`);
      const dmas = dmasById(json(`${graph}/${engine}.json`), memoryOf);
      return {
        words,
        names: instructionNames({ assembler: debug('asm'), backEnd: debug('backend'), frontEnd }),
        triggers: triggersIn(words, dmas),
      };
    }),
  };
}

const frontEndOf = (graph: string) => `debug_info/debug_info_penguin.dbg_${graph.replace(/\d+$/, n => n.padStart(6, '0'))}`;

function wantedOf(graph: string): (path: string) => boolean {
  const ofEngine = FILES.flatMap(engine => [
    `${graph}/${engine}.bin`,
    `${graph}/${engine}.json`,
    `${graph}/debug_info_asm_${engine}.dbg`,
    `${graph}/debug_info_backend_${engine}.dbg`,
  ]);
  const wanted = new Set([...ofEngine, `${graph}/def.json`, `${graph}/tensor_map.json`, frontEndOf(graph), 'info.json']);
  return path => wanted.has(path);
}

function triggersIn(words: Uint8Array, dmas: ReadonlyMap<string, NeffDma>): Map<number, NeffDma> {
  const triggers = new Map<number, NeffDma>();
  for (let index = 0; (index + 1) * WORD_BYTES <= words.length; index++) {
    const word = words.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES);
    const dma = word[0] === DMA_TRIGGER.opcode ? triggeredBy(word, dmas) : undefined;
    if (dma) triggers.set(index, dma);
  }
  return triggers;
}

const ROLES: ReadonlyMap<string, CapturedTensor['role']> = new Map([
  ['input', 'in'],
  ['output', 'out'],
]);

function tensorsOf(map: JsonObject): CapturedTensor[] {
  return Object.entries(map).flatMap(([name, tensor]) => {
    const role = isObject(tensor) ? ROLES.get(asText(tensor.kind)) : undefined;
    if (!role || !isObject(tensor)) return [];
    return [{ name, shape: shapeOf(tensor.sim_shape), bytes: null, dtype: asText(tensor.dtype) || null, role }];
  });
}

const MOST_DIMENSIONS = 16;

function shapeOf(value: unknown): number[] {
  const sizes = Array.isArray(value) ? value : [];
  return sizes.length <= MOST_DIMENSIONS && sizes.every(n => Number.isSafeInteger(n) && n >= 0 && n <= 2 ** 40) ? sizes : [];
}
