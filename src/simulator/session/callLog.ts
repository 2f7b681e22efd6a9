/**
 * What a script has done on the NeuronCore so far, in order: its kernel calls, the operations of its model outside of kernels, and the copies of
 * arrays between host and device.
 */
import type { ArrayInfo } from '../execute/arrays/engine';
import type { CallSite } from '../frontend/protocol';
import type { SourceFile } from '../program/program';
import { DeviceArrays } from './deviceArrays';
import type { KernelRun } from './kernelRun';
import type { LoggedSite } from './siteFrames';

/** A kernel call; of several ranks, all of them. */
export interface LoggedLaunch {
  runs: readonly KernelRun[];
  site: LoggedSite;
}

/** An operation of NumPy, torch or jax. */
export interface LoggedOperation {
  op: string;
  operands: readonly Pick<ArrayInfo, 'dtype' | 'shape'>[];
  result: Pick<ArrayInfo, 'dtype' | 'shape'>;
  site: LoggedSite;
}

/** Arrays that the runtime copies to the device (`write`) or from it (`read`). */
export interface LoggedTransfer {
  transfer: 'write' | 'read';
  arrays: readonly Pick<ArrayInfo, 'dtype' | 'shape'>[];
  site: LoggedSite;
}

type Entry = LoggedLaunch | LoggedOperation | LoggedTransfer;
/** `scriptNs`: what the script took between the entry before and this one, measured; null: it is not known. */
export type LogEntry = Entry & { scriptNs: number | null };

/** A script that works in a loop for hours is not kept whole. */
const MOST_ENTRIES = 200_000;
const NOWHERE: LoggedSite = { frames: [], layer: '' };

export class CallLog {
  readonly entries: LogEntry[] = [];
  readonly files = new Map<string, SourceFile>();
  private readonly device = new DeviceArrays();
  /** Entries beyond the most that are kept. */
  dropped = 0;

  /** @param toHost path of a file as this machine names it @param takeScriptNs what the script took since it was asked last */
  constructor(
    private readonly toHost: (path: string) => string,
    private readonly info: (array: number) => ArrayInfo,
    private readonly takeScriptNs: () => number | null,
  ) {}

  /** @param inputs, outputs arrays of all runs */
  launch(
    runs: readonly KernelRun[],
    { inputs, outputs }: { inputs: readonly number[]; outputs: readonly number[] },
    called: CallSite | undefined,
  ): void {
    const site = this.siteOf(called);
    this.transfer('write', this.device.written(inputs, site), site);
    this.device.made(outputs, site);
    this.add({ runs, site });
  }

  /** An operation of NumPy, torch or jax. `called`: of one inside a layer. */
  operation(op: string, operands: readonly number[], result: number, called: CallSite | undefined): void {
    if (!called) {
      for (const array of this.device.onHost(op, operands, result)) this.read(array, undefined);
      return;
    }
    const site = this.siteOf(called);
    this.transfer('write', this.device.written(operands, site), site);
    this.device.made([result], site);
    this.add({ op, operands: operands.map(this.info), result: this.info(result), site });
  }

  /** The script asks for the values of an array. */
  read(array: number, called: CallSite | undefined): void {
    const maker = this.device.read(array);
    if (maker) this.transfer('read', [array], called ? this.siteOf(called) : maker);
  }

  free(array: number): void {
    this.device.free(array);
  }

  private transfer(transfer: LoggedTransfer['transfer'], arrays: readonly number[], site: LoggedSite) {
    if (arrays.length > 0) this.add({ transfer, arrays: arrays.map(this.info), site });
  }

  private add(entry: Entry) {
    if (this.entries.length < MOST_ENTRIES) this.entries.push({ ...entry, scriptNs: this.takeScriptNs() });
    else this.dropped++;
  }

  private siteOf(site: CallSite | undefined): LoggedSite {
    if (!site) return NOWHERE;
    for (const { path, ...source } of site.sources) {
      const place = this.toHost(path);
      this.files.set(place, { ...source, path: place });
    }
    return { frames: site.frames.map(frame => ({ ...frame, file: this.toHost(frame.file) })), layer: site.layer };
  }
}
