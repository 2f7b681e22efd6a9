/** An operand string taken apart: each word with what it says. The grammar is Neuron's (`operandText.ts` prints it). */

export interface OperandPart {
  /** As printed. */
  text: string;
  name: string;
  value: string;
  about: string;
}

export interface AccessText {
  /** `src`, `src1`, `dst`. */
  name: string;
  dtype: string;
  /** Byte address in the core's memory map. */
  address: number;
  /** Elements, innermost first. */
  strides: number[];
  counts: number[];
}

const ACCESS = /^([a-z_]+\d*)=([\w]+)@0x([0-9a-f]+)\[([-\d,]*)\]\[([\d,]*)\]$/;

/** Words of two pieces are joined again: `S[5] (Tensor)>=4`. */
const words = (operands: string) => operands.match(/S\[\d+\] \([^)]*\)\S*|\S+/g) ?? [];

interface Rule {
  pattern: RegExp;
  part(found: RegExpExecArray): Omit<OperandPart, 'text'>;
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
  imm: 'Immediate operand.',
  bias_ptr: 'Where the bias lies.',
  accumulator_cmd: 'What it does with the accumulation registers.',
};

const RULES: readonly Rule[] = [
  {
    pattern: /^(S\[\d+\] \([^)]*\))>=(\d+)$/,
    part: ([, semaphore, value]) => ({
      name: `waits for ${semaphore}`,
      value: `≥ ${value}`,
      about: 'It starts once the semaphore has this value.',
    }),
  },
  {
    pattern: /^(S\[\d+\] \([^)]*\))\+\+@(\w+)$/,
    part: ([, semaphore, when]) => ({ name: `raises ${semaphore}`, value: `+1 at ${when}`, about: 'Others wait for this semaphore.' }),
  },
  {
    pattern: ACCESS,
    part: ([, name, dtype, address, strides, counts]) => ({
      name,
      value: `${dtype} at 0x${address}, counts [${counts}], strides [${strides}]`,
      about: `${name.startsWith('dst') ? 'Destination' : 'Source'}: dtype, byte address, then elements and strides of each free dimension, innermost first.`,
    }),
  },
  {
    pattern: /^(\d+)\*(\d+)$/,
    part: ([, rows, columns]) => ({ name: 'array', value: `${rows} rows × ${columns} columns`, about: 'Part of the PE array in use.' }),
  },
  {
    pattern: /^(\w+)=(.*)$/,
    part: ([, name, value]) => ({ name, value, about: KNOWN[name] ?? 'As Neuron profiles print it.' }),
  },
];

export function operandParts(operands: string): OperandPart[] {
  return words(operands).map(text => {
    for (const { pattern, part } of RULES) {
      const found = pattern.exec(text);
      if (found) return { text, ...part(found) };
    }
    return { text, name: text, value: '', about: 'As Neuron profiles print it.' };
  });
}

/** The memory operands of an operand string. */
export function accessTexts(operands: string): AccessText[] {
  return words(operands).flatMap(word => {
    const found = ACCESS.exec(word);
    if (!found) return [];
    const numbers = (list: string) => list.split(',').map(Number);
    const [, name, dtype, address, strides, counts] = found;
    return [{ name, dtype, address: Number.parseInt(address, 16), strides: numbers(strides), counts: numbers(counts) }];
  });
}
