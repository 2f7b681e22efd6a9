/**
 * The host's side of the wire in an interpreter that records ranks for another (`frontend/memoryImage.ts`): takes what a rank recorded,
 * and compiles it. Everything that needs what only the other session has (values, files, profiles) is refused, and the rank with it:
 * the other interpreter then records it itself.
 */
import { sentCompiled } from '../compile/transfer';
import type { HostRequest } from '../frontend/protocol';
import { shapeFault } from '../frontend/requestShape';
import type { WireMessage } from '../frontend/wire';
import type { Machine } from '../hardware/machine';
import type { SimulatorBackend } from './backend';
import type { CaptureRequest } from './capture';
import { containersOf, decodedProgram, type RankRecording } from './rankRecorders';

export interface RecorderOptions {
  request: Pick<CaptureRequest, 'machine' | 'policy' | 'pipeline' | 'dge'>;
  instructionLimit: number;
  toHost(path: string): string;
  backend: Pick<SimulatorBackend, 'compileRank'>;
}

type Put = RankRecording['constants'][number];

/** Handles of arrays made here: above those of every session. */
const FIRST_HANDLE = 2 ** 40;

export class RecorderSession {
  private readonly puts = new Map<number, Put>();
  private nextHandle = FIRST_HANDLE;
  private recording: Omit<RankRecording, 'rank'> | null = null;
  private isRefused = false;

  constructor(private readonly options: RecorderOptions) {}

  /** The next rank. */
  begin() {
    this.puts.clear();
    this.nextHandle = FIRST_HANDLE;
    this.recording = null;
    this.isRefused = false;
  }

  /** It did something that only the interpreter that asked for it can do. */
  refuse() {
    this.isRefused = true;
  }

  /** What it recorded; null: nothing that can be used. */
  end(rank: number): RankRecording | null {
    return this.recording && !this.isRefused ? { rank, ...this.recording } : null;
  }

  /** Never throws. */
  readonly handle = (message: WireMessage): { header: object } => {
    try {
      if (shapeFault(message.header) === null) {
        const ok = this.answer(message.header as unknown as HostRequest, message.payload);
        if (ok) return { header: { ok } };
      }
    } catch {
      // told where the rank is recorded again
    }
    this.refuse();
    return { header: { error: { kind: 'NotHere', message: 'this rank is recorded again' } } };
  };

  private answer(request: HostRequest, payload: Uint8Array): object | null {
    if (request.call === 'array.put') {
      const { dtype, shape } = request;
      this.puts.set(this.nextHandle, { dtype, shape, bytes: payload.slice() });
      return { array: this.nextHandle++ };
    }
    // of arguments, which the other interpreter makes again; among constants it is refused
    if (request.call === 'array.op') return { array: this.nextHandle++ };
    if (request.call === 'array.free') return {};
    if (request.call === 'progress') return request.instructions > this.options.instructionLimit ? null : {};
    if (request.call === 'recorded') return this.keep(request, payload);
    return null;
  }

  private keep(
    { bytes = [], places, coreBarriers, constants, instructions }: Extract<HostRequest, { call: 'recorded' }>,
    payload: Uint8Array,
  ): object | null {
    const put = constants.map(handle => this.puts.get(handle));
    if (!put.every(each => each !== undefined)) return null;
    const size = bytes.reduce((sum, each) => sum + each, 0);
    const programs = containersOf(payload.slice(0, size), bytes);
    const returned = payload.slice(size);
    const compiled = this.compiled(programs, { places, coreBarriers });
    this.recording = { programs, places, coreBarriers, constants: put as Put[], returned, instructions, compiled };
    return {};
  }

  private compiled(containers: readonly Uint8Array[], of: Pick<RankRecording, 'places' | 'coreBarriers'>): RankRecording['compiled'] {
    const { backend, toHost, request } = this.options;
    const { pipeline = 'auto', dge = 'auto', policy } = request;
    const machine: Machine | undefined = request.machine;
    const [whole, ...cores] = containers.map(each => decodedProgram(each, toHost));
    try {
      const rank = { whole, cores: cores.length > 0 ? cores : [whole], ...of };
      const { checks, cores: code } = backend.compileRank(rank, { pipeline, dge, machine, policy });
      return { checks, cores: code.map(sentCompiled) };
    } catch {
      return null;
    }
  }
}
