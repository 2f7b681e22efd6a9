/** Names of runs for people. They distinguish runs by eye, and are not used as keys. */
import type { Profile } from '../profile/profile';
import { tensorText } from '../vocabulary/tensorText';
import { timeText } from './format';
import { kernelPosition } from './places';

/** A title has room for this much of what a kernel was called with. */
const MOST_LETTERS = 48;

/** Parts of a name. */
export interface NameParts {
  /** Its base name; undefined where it is not known. */
  file?: string;
  kernel: string;
  /** The case's name, else the tensors' shapes. */
  inputs: string;
  target: string;
  totalNs: number;
}

/** @param caseName of the case it was run with @param file that was run; absent: the one that the kernel is in */
export function namePartsOf(profile: Profile, { caseName, file }: { caseName?: string; file?: string } = {}): NameParts {
  const { kernel, target, totalTimeNs } = profile;
  // of many programs: none of them is its file, and its device is not known
  if (profile.system) return { kernel, inputs: '', target: 'system profile', totalNs: totalTimeNs };
  const inputs = shortened(caseName ?? profile.inputs.map(tensorText).join(', '));
  const named = profile.rank ? `${kernel}, rank ${profile.rank.rank}` : kernel;
  return { file: file ?? kernelFile(profile), kernel: named, inputs, target, totalNs: totalTimeNs };
}

/** What a rank is called, wherever it is named: `Rank 3`; of a capture that names its process, `Rank 3 (i-0a pid 77, NC 1)`. */
export const rankLabel = (rank: number, process = ''): string => (process === '' ? `Rank ${rank}` : `Rank ${rank} (${process})`);

/** `softmax.py: softmax_kernel · bf16[128,512] · trn2 · 23.1 µs` */
export const nameText = (name: NameParts): string => `${columnName(name)} · ${timeText(name.totalNs)}`;

/** Without the time, which stands below it in a column. */
const columnName = ({ file, kernel, inputs, target }: NameParts) =>
  `${file ? `${file}: ` : ''}${[kernel, inputs, target].filter(Boolean).join(' · ')}`;

/** Headings of columns; those that would be alike are numbered: `… · run 2`. */
export const columnNames = (names: readonly NameParts[]): string[] => numbered(names.map(columnName));

/** Names that are alike get numbers: `… · run 2`. */
export function numbered(texts: readonly string[]): string[] {
  return texts.map((text, i) => {
    const alike = texts.filter(other => other === text).length > 1;
    return alike ? `${text} · run ${texts.slice(0, i + 1).filter(other => other === text).length}` : text;
  });
}

/** Last part of a path of any system. */
export const baseName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

function kernelFile(p: Profile): string | undefined {
  const begin = kernelPosition(p);
  return begin ? baseName(begin.file) : undefined;
}

const shortened = (text: string) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);
