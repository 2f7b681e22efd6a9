/** The operands of an instruction one by one, each with what it says: for reading, not for drawing. `operandText.ts` prints them in one line. */
import { lowerBound } from '../columns/search';
import {
  ACCESS,
  addressText,
  CHANNELS,
  countsOf,
  type EventId,
  isDestination,
  NO_DTYPE,
  NO_SEMAPHORE,
  NO_TENSOR,
  operandName,
  operandsOf,
  type Profile,
  sizesText,
  stepsOf,
  templateOf,
  UNKNOWN_SPACE,
} from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';

export interface OperandPart {
  name: string;
  value: string;
  about: string;
  /** Of an operand in memory, its value without counts and strides: `q_tile: fp32 at 0x10448 in SBUF`. */
  place?: string;
}

const KNOWN: Readonly<Record<string, string>> = {
  acc_flags: 'How the PE array accumulates in PSUM: 1 begins a group, 2 ends it, 3 both, 0 goes on.',
  fp32_mode: 'Which pass of a 32-bit float matmul this is: float32 runs as several passes of narrower products.',
  transpose_mode: 'ENABLED: the PE array only moves data through, to transpose it.',
  row_grp: 'Rows of the PE array in use.',
  semaphore: 'Semaphore that the DMA raises.',
  sem_increment: 'By how much the DMA raises it: one for each DMA engine.',
  elem_size: 'Bytes of a contiguous piece (descriptor element). Small pieces cost more per byte.',
  compute_op: 'Arithmetic that the DMA does on the way.',
  channels: 'Partitions it works on.',
  scale: 'Factor applied to the input first.',
  cc_op: 'Collective operation that it completes; written by NKI Scope.',
  imm: 'Immediate operand.',
  bias_ptr: 'Where the bias lies.',
  accumulator_cmd: 'What it does with the accumulation registers.',
};
const OTHER = 'As Neuron profiles print it.';

/** Parts of an instruction: semaphores, then its own operands in the printed order. */
export function operandParts(p: Profile, instruction: EventId): OperandPart[] {
  const list = p.instructions.operands[instruction];
  const operands = operandsOf(p, list);
  let next = 0;
  const own = Array.from(templateOf(p, p.operandLists.template[list]), word => {
    if (word === ACCESS) return accessPart(p, operands[next++]);
    return word === CHANNELS ? named('channels', String(p.operandLists.channels[list])) : wordPart(p.operandWords[word]);
  });
  return [...waitParts(p, instruction), ...signalParts(p, instruction), ...own];
}

const semaphoreName = ({ semaphores }: Profile, semaphore: number) => `S[${semaphores[semaphore].id}] (${semaphores[semaphore].name})`;

function waitParts(p: Profile, instruction: EventId): OperandPart[] {
  const { instruction: owner, semaphore, value } = p.waits;
  const parts: OperandPart[] = [];
  for (let row = lowerBound(owner, instruction); row < owner.length && owner[row] === instruction; row++)
    parts.push({
      name: `waits for ${semaphoreName(p, semaphore[row])}`,
      value: `≥ ${value[row]}`,
      about: 'It starts once the semaphore has this value.',
    });
  return parts;
}

function signalParts(p: Profile, instruction: EventId): OperandPart[] {
  const signal = p.instructions.signal[instruction];
  if (signal === NO_SEMAPHORE) return [];
  return [{ name: `raises ${semaphoreName(p, signal)}`, value: '+1 at complete', about: 'Others wait for this semaphore.' }];
}

/** `q_tile: fp32 at 0x10448 in SBUF, counts [512,1,1], strides [1,0,0]`, as far as it is known. */
function accessPart(p: Profile, operand: number): OperandPart {
  const { dtype, space, addressBytes, tensor } = p.operands;
  const owner = tensor[operand] === NO_TENSOR ? '' : `${p.strings[tensor[operand]]}: `;
  const type = dtype[operand] === NO_DTYPE ? '' : `${p.operandWords[dtype[operand]]} `;
  const memory = space[operand] === UNKNOWN_SPACE ? '' : ` in ${SPACES[space[operand]].toUpperCase()}`;
  const place = `${owner}${type}at ${addressText(addressBytes[operand])}${memory}`;
  const side = isDestination(p, operand) ? 'Destination' : 'Source';
  return {
    name: operandName(p, operand),
    place,
    value: `${place}, counts ${sizesText(countsOf(p, operand))}, strides ${sizesText(stepsOf(p, operand))}`,
    about: `${side}: tensor, dtype, byte address and memory, then elements and strides of each free dimension, innermost first.`,
  };
}

const named = (name: string, value: string): OperandPart => ({ name, value, about: KNOWN[name] ?? OTHER });

function wordPart(word: string): OperandPart {
  const array = /^(\d+)\*(\d+)$/.exec(word);
  if (array) return { name: 'array', value: `${array[1]} rows × ${array[2]} columns`, about: 'Part of the PE array in use.' };
  const given = /^(\w+)=(.*)$/.exec(word);
  return given ? named(given[1], given[2]) : { name: word, value: '', about: OTHER };
}
