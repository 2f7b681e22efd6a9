/** A compilation on its way between threads: columns are copied as they are, what it has of its program and machine stays behind. */
import type { Machine } from '../hardware/machine';
import type { Program } from '../program/program';
import type { Compiled } from './compiled';
import { Patterns } from './patterns';

/** Without anything but data. */
export type SentCompiled = Omit<Compiled, 'machine' | 'patterns'> & { patterns: unknown };

export const sentCompiled = ({ machine: _, patterns, ...rest }: Compiled): SentCompiled => ({ ...rest, patterns: patterns.sent() });

/** @param program that it was compiled from */
export const receivedCompiled = ({ patterns, ...rest }: SentCompiled, program: Program, machine: Machine): Compiled => ({
  ...rest,
  machine,
  patterns: Patterns.received(patterns, program),
});
