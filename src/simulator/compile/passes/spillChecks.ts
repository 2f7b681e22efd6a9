/** The warnings of a kernel whose tiles do not fit and were spilled: how much is missing, at the line that needs most, and what it costs. */
import { kibText } from '../../program/error';
import { SPACES } from '../../vocabulary/spaces';
import { demand } from '../allocation/demand';
import { lifetimes } from '../allocation/lifetimes';
import type { Compiled } from '../compiled';
import type { CompileContext } from '../context';
import { PSUM, SBUF } from '../patterns';
import type { FinishedCode } from '../placed';
import { bankBytes } from './spilling';

/** @param lowered the program before tiles were spilled @returns the compilation with a warning for each memory that was too small */
export function withSpillChecks(context: CompileContext, lowered: FinishedCode, compiled: Compiled): Compiled {
  const { machine, patterns, program } = context;
  const lives = lifetimes(patterns, lowered.instructions, lowered.accesses);
  const memories = [
    { space: SBUF, bytes: machine.sbufBytesPerPartition.value, sizeBytes: (tensor: number) => patterns.bytesPerPartition(tensor) },
    { space: PSUM, bytes: machine.psumBytesPerPartition.value, sizeBytes: (tensor: number) => bankBytes(context, tensor) },
  ];
  const checks = memories.flatMap(({ space, bytes, sizeBytes }) => {
    const { neededBytes, frame, holders } = demand(context, lives, lowered.instructions, space, sizeBytes);
    if (neededBytes <= bytes) return [];
    const has = `each partition of ${SPACES[space].toUpperCase()} has ${kibText(bytes)}`;
    const needs = `the kernel needs ${kibText(neededBytes)} at once (${holders}): ${kibText(neededBytes - bytes)} are missing`;
    const message = `${has}, and ${needs}. What does not fit is loaded again or saved, ${cost(lowered, compiled)}`;
    const file = program.files[program.frames.file[frame]]?.path ?? '';
    return [{ severity: 'warning' as const, message, file, line: program.frames.line[frame] }];
  });
  return { ...compiled, checks: [...compiled.checks, ...checks] };
}

/** The added transfers, and the time that HBM is busy with them. */
function cost(lowered: FinishedCode, { machine, instructions, transfers }: Compiled): string {
  const dmas = transfers.bytes.length - lowered.transfers.bytes.length;
  const copies = instructions.track.length - lowered.instructions.track.length - dmas;
  const bytes = sum(transfers.bytes) - sum(lowered.transfers.bytes);
  const busyNs = bytes / machine.dma.hbmReadBytesPerNs.value;
  const words = [
    `by ${count(Math.max(0, dmas), 'more DMA')}`,
    `with ${scaled(Math.max(0, bytes), MEMORY_UNITS)}, at least ${scaled(Math.max(0, busyNs), TIME_UNITS)} at the full rate of HBM`,
    ...(copies > 0 ? [`and by ${count(copies, 'copy', 'copies')} out of PSUM and back`] : []),
  ];
  return words.join(' ');
}

/** The largest one first. */
type Units = readonly (readonly [name: string, size: number])[];

const MEMORY_UNITS: Units = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
];

const TIME_UNITS: Units = [
  ['ms', 1e6],
  ['µs', 1e3],
];

/** With three digits, in the largest unit of which there is a whole one, else in the smallest. */
function scaled(value: number, units: Units): string {
  const [name, size] = units.find(([, size]) => value >= size) ?? units.at(-1)!;
  return `${+(value / size).toPrecision(3)} ${name}`;
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

const count = (n: number, word: string, words = `${word}s`) => `${n} ${n === 1 ? word : words}`;
