/** What runs are called: enough to tell one from another by eye. What they are found by is identity.ts. */
import { type Profile, tensorText, timeText } from '../../simulator/index';

/** A title has room for this much of what a kernel was called with. */
const MOST_LETTERS = 48;

/** What a name is made of. */
export interface NameParts {
  /** Its base name; undefined where it is not known. */
  file?: string;
  kernel: string;
  /** The case's name, else the tensors' shapes. */
  inputs: string;
  target: string;
  totalNs: number;
}

/** @param caseName of the case it was run with @param file that was run */
export function namePartsOf(profile: Profile, { caseName, file }: { caseName?: string; file?: string } = {}): NameParts {
  const { kernel, target, totalTimeNs } = profile;
  return { file, kernel, inputs: shortened(caseName ?? profile.inputs.map(tensorText).join(', ')), target, totalNs: totalTimeNs };
}

/** `softmax.py: softmax_kernel · bf16[128,512] · trn2 · 23.1 µs` */
export function nameText({ file, kernel, inputs, target, totalNs }: NameParts): string {
  return `${file ? `${file}: ` : ''}${[kernel, inputs, target, timeText(totalNs)].filter(Boolean).join(' · ')}`;
}

const shortened = (text: string) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);
