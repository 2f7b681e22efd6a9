/**
 * The engine behind `serve` and `mcp`: one simulator that stays warm, and the runs that its tools have made. Kernels run in the bundled
 * interpreter, in the sandbox, with the limits of every capture.
 */
import path from 'node:path';
import {
  type AskedCall,
  type CaptureRequest,
  fullNames,
  type HostedResult,
  KeptRuns,
  NoWorkspace,
  nearestWorkspace,
  pinnedNki,
  placeOfCase,
  ReadingClient,
  SimulatorClient,
  SpaceError,
  type SweepDescription,
  sweepFile,
  ToolError,
  type ToolHost,
  type ToolRun,
  type VariantRow,
  type WhichRun,
} from '../simulator/index';
import { environmentTarget, whichKernel } from './captureRequest';
import { UsageError } from './errors';

export interface EngineOptions {
  dist: string;
  /** What names of files are relative to. */
  folder: string;
  /** The folder that kernels may read, and outside of which none is run; absent: the project around each file. */
  root?: string;
  onSandbox(confinedBy: readonly string[]): void;
  /** What kernels print. */
  onOutput(text: string): void;
}

export class EngineHost implements ToolHost {
  readonly reading: ReadingClient;
  private readonly client: SimulatorClient;
  private readonly kept = new KeptRuns();
  /** Captures run one after another: each may use all the memory that there is for kernels. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: EngineOptions) {
    const { dist, onSandbox } = options;
    this.client = new SimulatorClient({ dist, onSandbox });
    this.reading = new ReadingClient({ dist });
  }

  pathOf(file: string): string {
    return path.resolve(this.options.folder, file);
  }

  async capture(asked: AskedCall, signal: AbortSignal): Promise<HostedResult> {
    const request = this.request(asked);
    const result = this.last.then(() => this.client.capture(request, { onOutput: text => this.options.onOutput(text) }, signal));
    this.last = result.catch(() => {});
    const { runs } = await result;
    return { runs: runs.map(({ profile }) => this.kept.keep(profile, request.file)), result: await result };
  }

  async sweep(asked: AskedCall, description: SweepDescription, signal: AbortSignal): Promise<VariantRow[]> {
    const base = this.request(asked);
    const { dist, onSandbox } = this.options;
    const rows = this.last.then(() => sweepFile(description, base, { dist, onSandbox }, signal));
    this.last = rows.catch(() => {});
    try {
      return await rows;
    } catch (error) {
      if (error instanceof SpaceError) throw new ToolError('WrongInput', error.message);
      throw error;
    }
  }

  find(which: WhichRun): ToolRun | undefined {
    return this.kept.find(which);
  }

  close(): void {
    this.client.dispose();
    this.reading.dispose();
  }

  /** @throws ToolError */
  private request({
    file,
    text,
    kernel: named,
    case: caseName,
    args = {},
    grid,
    target,
    fill,
    values,
    reference,
  }: AskedCall): CaptureRequest {
    const place = this.pathOf(file);
    const bare = Object.keys(args).length === 0;
    try {
      const { kernel, known } = whichKernel(place, { kernel: named, caseName, bare });
      if (kernel === undefined && !bare) throw new UsageError('args need kernel, to say whose parameters they are');
      const root = this.rootOf(place);
      const request: CaptureRequest = {
        file: place,
        root,
        overlay: text === undefined ? undefined : { [place]: text },
        fill,
        ...(known && placeOfCase(known)),
        ...(grid && { grid }),
        target: target ?? known?.target ?? environmentTarget(),
        nkiVersion: pinnedNki(place, root)?.version,
        // a script may look at its values
        numerics: values ? 'on' : kernel === undefined ? 'auto' : 'off',
        referenceFunction: reference,
      };
      return kernel === undefined ? request : { ...request, kernel, args: argumentsOf({ ...known?.args, ...args }) };
    } catch (error) {
      if (error instanceof UsageError || error instanceof NoWorkspace) throw new ToolError('WrongInput', error.message);
      throw error;
    }
  }

  private rootOf(file: string): string {
    const { root } = this.options;
    if (root === undefined) return nearestWorkspace(file);
    const relative = path.relative(root, file);
    if (relative.startsWith('..') || path.isAbsolute(relative)) throw new UsageError(`${file} is not in ${root}`);
    return root;
  }
}

/** @throws UsageError */
function argumentsOf(args: NonNullable<AskedCall['args']>): NonNullable<AskedCall['args']> {
  try {
    return fullNames(args);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
