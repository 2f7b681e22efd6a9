/**
 * What a tool for agents is: a name, the schema of its input, and a function. `tools.ts` lists the tools. A host (`ToolHost`) runs the kernels
 * and keeps the runs: the editor, or a process of the command line.
 */
import type { Profile } from '../profile/profile';
import type { ArgumentValue } from '../service/arguments';
import type { ReadingClient } from '../service/reading/readingClient';
import type { CaptureResult } from '../session/capture';
import type { SweepDescription } from '../variants/description';
import type { VariantRow } from '../variants/table';
import type { InputSchema } from './inputSchema';

export interface AgentTool {
  /** Of MCP and of `serve`; the editor writes `nki_scope_` before it. */
  name: string;
  title: string;
  /** For the model: what it does, what it returns, when to use it. */
  description: string;
  input: InputSchema;
  /** It runs code of the user. */
  runsKernels: boolean;
  /** @param input fits the schema @throws ToolError, SimulatorFault */
  answer(input: never, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  /** For programs. Plain data without infinities. */
  data: Record<string, unknown>;
  /** The same for language models: short, a line for each thing. */
  text: string;
}

/** A kernel call to run. What is absent is as for `capture`. */
export interface AskedCall {
  /** Absolute, or in the host's folder. */
  file: string;
  /** Text of the file; absent: that on the disk. */
  text?: string;
  kernel?: string;
  case?: string;
  args?: Record<string, ArgumentValue>;
  fill?: 'zeros' | 'random';
  grid?: number[];
  target?: string;
  /** Values are computed. */
  values?: boolean;
  /** A function of the file that returns what the outputs should be. */
  reference?: string;
}

/** A profiled kernel call that a host keeps. */
export interface ToolRun {
  id: string;
  /** In words. */
  name: string;
  profile: Profile;
  /** The profile's container. */
  bytes: Uint8Array;
}

/** A run by its id, or the last one of a file. */
export interface WhichRun {
  run?: string;
  file?: string;
}

export interface HostedResult {
  /** One for each of the result's runs. */
  runs: ToolRun[];
  result: CaptureResult;
}

export interface ToolHost {
  readonly reading: Pick<ReadingClient, 'run'>;
  /** Runs a file. Its runs are kept. @throws ToolError for a request that cannot be made */
  capture(asked: AskedCall, signal: AbortSignal): Promise<HostedResult>;
  find(which: WhichRun): ToolRun | undefined;
  /** Rows in the order of the points; those that did not finish before the signal are left out. @throws ToolError for a sweep that cannot be made */
  sweep(asked: AskedCall, description: SweepDescription, signal: AbortSignal): Promise<VariantRow[]>;
  /** Absolute path of a file that a tool's input names. */
  pathOf(file: string): string;
}
