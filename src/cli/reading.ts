/** Reading for the commands: in a worker (`simulator/service/reading/`), and what goes wrong in words that name the file. */
import fs from 'node:fs';
import { type OutputPiece, type ProfileSource, ReadingClient, ReadingError, type ReadJobs } from '../simulator/index';
import type { CliContext } from './context';
import { InputError, UsageError } from './errors';
import { diskWords } from './output';
import type { ExportGiven } from './viewFormats';

/** Environment variable with the path of AWS's reader. */
const NEURON_TOOL = 'NKI_SCOPE_NEURON_TOOL';
const neuronTool = () => ({ named: process.env[NEURON_TOOL] ?? '', howToName: `name its path in ${NEURON_TOOL}` });

export class Reading {
  private readonly client: ReadingClient;
  private readonly signal: AbortSignal | undefined;

  constructor({ dist, signal }: { dist: string; signal?: AbortSignal }) {
    this.client = new ReadingClient({ dist, neuronTool });
    this.signal = signal;
  }

  /** @throws UsageError when a file is not there, InputError when it is not a profile, or Ctrl-C came. */
  async run<K extends keyof ReadJobs>(
    job: K,
    given: Parameters<ReadJobs[K]>[0],
    signal = this.signal,
    onProgress?: (share: number) => void,
  ): Promise<ReturnType<ReadJobs[K]>> {
    try {
      return await this.client.run(job, given, signal, onProgress);
    } catch (error) {
      throw inWords(error);
    }
  }

  container(source: ProfileSource): Promise<Uint8Array> {
    return this.run('container', { sources: [source] });
  }

  /** @throws UsageError, InputError: as `run` */
  async *export(given: ExportGiven): AsyncGenerator<OutputPiece> {
    try {
      yield* this.client.pieces(given, this.signal);
    } catch (error) {
      throw inWords(error);
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.client.dispose();
  }
}

/** One reading of one command. */
export const readIn = <K extends keyof ReadJobs>({ dist, signal }: CliContext, job: K, given: Parameters<ReadJobs[K]>[0]) =>
  new Reading({ dist, signal }).run(job, given);

export const fileSources = (...paths: string[]): { sources: ProfileSource[] } => ({ sources: paths.map(path => ({ path })) });

/** Of a format that is one file. */
export async function* bytesOf(pieces: AsyncIterable<OutputPiece>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces) yield bytes;
}

/** @throws UsageError when it is no folder */
export function sourceRootOf(root: string | undefined): string | undefined {
  if (root !== undefined && !fs.statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--nki-source-root ${root}: not a folder`);
  return root;
}

export function inWords(error: unknown): unknown {
  if (!(error instanceof ReadingError)) return error;
  const { problem, path, message, code } = error;
  if (problem === 'cancelled') return new InputError('Cancelled: nothing was written');
  const said = code === undefined ? message : diskWords(Object.assign(new Error(message), { code }));
  const text = path === undefined ? said : `${path}: ${said}`;
  return problem === 'disk' ? new UsageError(text) : new InputError(text);
}
