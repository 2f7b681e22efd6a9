/**
 * The host's side of the wire: answers the front end's requests for one script (`protocol.ts`) and gathers what it ran.
 * Synchronous and free of Node: files and the simulator (`backend.ts`) are given to it. Both bridges and the
 * process for the user's own runs (`service/host.ts`) share it.
 */
import { FormatError } from '../columns/container';
import { ArrayError, type ArrayInfo } from '../execute/arrays/engine';
import { TooLarge } from '../execute/limits';
import { encodeNkiprof } from '../formats/nkiprof';
import type { CallSite, HostRequest, KernelInfo, KernelJob, UserError } from '../frontend/protocol';
import { shapeFault } from '../frontend/requestShape';
import type { WireMessage } from '../frontend/wire';
import { machineForPython } from '../hardware/forPython';
import { encodeProfile } from '../profile/codec';
import type { Program } from '../program/program';
import { answerAbout } from './asked';
import { RunError } from './backend';
import { CallLog } from './callLog';
import type { CaptureRun } from './capture';
import { KernelRun } from './kernelRun';
import { LiveValues } from './liveValues';
import { NpyError, readNpy } from './npy';
import { runsOnRanks } from './rankedCall';
import { containersOf, decodedProgram } from './rankRecorders';
import { RanksElsewhere } from './ranksElsewhere';
import { runOfLaunches } from './runOfLaunches';
import { ScriptClock } from './scriptClock';
import { SessionContext, type SessionOptions } from './sessionContext';
import { stopText } from './stopError';

/** A kernel call as it came over the wire, with what its inputs were and how long it took to compile and schedule. */
export interface FirstCall {
  call: Extract<HostRequest, { call: 'run' }>;
  payload: Uint8Array;
  inputs: ArrayInfo[];
  simulateMs: number;
}

/** The profile cannot be kept under that name; the message is for the user. */
export class SaveError extends Error {
  override name = 'SaveError';
}

/** Of a call that is kept: those of some ten thousand instructions. */
const MOST_KEPT_BYTES = 4 * 2 ** 20;

/** Something to tell the user of; anything else is our fault. */
export const isUserError = (error: unknown): error is Error => USER_ERRORS.some(kind => error instanceof kind);

/** Between two reports, at the some 35 µs each that recording takes in the bundled interpreter: some seven a second. */
const PROGRESS_EVERY = 4096;

type Reply = { ok: Record<string, unknown>; payload?: Uint8Array };
type RequestHandlers = { [C in HostRequest['call']]: (request: Extract<HostRequest, { call: C }>, payload: Uint8Array) => Reply };

/** Errors of the user's doing: the front end raises them at the user's line. Everything else is our fault. */
const USER_ERRORS = [RunError, ArrayError, TooLarge, NpyError, SaveError, FormatError];

export class HostSession {
  /** Of all calls, or of the last one (`keepsRuns`). */
  readonly runs: KernelRun[] = [];
  /** The first kernel call, unless it is long. */
  firstCall: FirstCall | null = null;
  /** When the front end said `done`. */
  finished: { error: UserError | null; kernels: KernelInfo[] } | null = null;
  /** Our own fault: the front end was told to stop. */
  fault: unknown = null;
  private lastRunError: RunError | null = null;
  /** Kernel calls, and their runs. */
  private calls = 0;
  private made = 0;
  /** Calls of each kernel. */
  private readonly callsOf = new Map<string, number>();
  /** Instructions of the call that is being recorded, when they were last told. */
  private recorded = 0;
  readonly context: SessionContext;
  private readonly live: LiveValues;
  private readonly log: CallLog;
  /** Null: the script's time is not measured. */
  private readonly clock: ScriptClock | null;
  private readonly elsewhere: RanksElsewhere;

  constructor(options: SessionOptions) {
    this.context = new SessionContext(options);
    this.live = new LiveValues(this.context);
    this.clock = options.request.hostTime ? new ScriptClock(options.nowMs ?? (() => performance.now())) : null;
    this.log = new CallLog(
      options.paths.toHost,
      array => this.context.arrays.info(array),
      () => this.clock?.takeNs() ?? null,
    );
    this.elsewhere = new RanksElsewhere(this.context);
  }

  /** Never throws. */
  readonly handle = ({ header, payload }: WireMessage): { header: object; payload?: Uint8Array } => {
    try {
      const request = header as unknown as HostRequest;
      const wrong = shapeFault(header);
      if (wrong !== null) throw new RunError('ProtocolError', wrong);
      this.clock?.asked(request);
      const handler = this.handlers[request.call] as (request: HostRequest, payload: Uint8Array) => Reply;
      const { ok, payload: bytes } = handler(request, payload);
      return { header: { ok }, payload: bytes };
    } catch (error) {
      return { header: { error: this.errorReply(error) } };
    } finally {
      this.clock?.answered();
    }
  };

  /** Values that the request wants though the script did not; then everything that is to be told of the runs. */
  results(): CaptureRun[] {
    this.elsewhere.close();
    return this.asked().map(run => {
      try {
        if (this.context.options.inspects === undefined) run.computeWanted();
      } catch (error) {
        this.finished = { kernels: [], ...this.finished, error: this.finished?.error ?? this.lateError(error) };
      }
      return run.result();
    });
  }

  /**
   * The run of all kernel calls, as a profile container; null where one call is all, or one kernel was asked for. After `results`: the calls'
   * profiles are final then.
   */
  launches(): Uint8Array | null {
    if (this.context.options.request.kernel !== undefined) return null;
    const run = runOfLaunches(this.log, this.context.options.request.machine);
    return run && encodeProfile(run);
  }

  /** All calls; where one kernel was asked for, the last call, without those that its file makes while it is imported. */
  private asked(): readonly KernelRun[] {
    if (this.context.options.request.kernel === undefined) return this.runs;
    return this.lastCall();
  }

  /** What went wrong, in the user's terms. */
  userError(): UserError | null {
    const error = this.finished?.error ?? null;
    if (!error) return null;
    const position = this.lastRunError && error.message.includes(this.lastRunError.message) ? this.lastRunError.position : null;
    const file = position?.file ?? (error.file === null ? null : this.context.options.paths.toHost(error.file));
    const placed = { ...error, file, line: position?.line ?? error.line };
    if (error.kind !== 'Cancelled') return placed;
    const { reason } = this.context.options.interrupt;
    const [kind, message] =
      reason === 'time' || reason === 'memory' ? stopText(reason, this.context.options.limits) : [error.kind, error.message];
    return { ...placed, kind, message: message + this.howFar() };
  }

  private readonly handlers: RequestHandlers = {
    job: () => ({ ok: { ...this.job() } }),
    run: (call, payload) => {
      const { inputs, bytes, places, coreBarriers, precise, pipeline, site } = call;
      const [whole, ...cores] = containersOf(payload, bytes ?? [payload.length]).map(each =>
        decodedProgram(each, this.context.options.paths.toHost),
      );
      const run = new KernelRun(this.context, this.placeOf(whole), { whole, cores, inputs }, { pipeline, precise, places, coreBarriers });
      this.keep([run], [inputs], site);
      const { compile, schedule } = this.context.spentMs;
      if (this.calls === 1 && payload.length <= MOST_KEPT_BYTES)
        this.firstCall = { call, payload, inputs: inputs.map(array => this.context.arrays.info(array)), simulateMs: compile + schedule };
      this.recorded = 0;
      const { onProgress, onReturn } = this.context.options;
      onReturn?.(run.returned());
      onProgress({ phase: 'script' });
      return { ok: { run: this.made - 1, ...run.reply() } };
    },
    runRanks: ({ programs, ranks, precise, pipeline, site }, payload) => {
      const recorded = this.elsewhere.together(programs, payload);
      if (ranks.some(({ program }) => !recorded[program]) || ranks.length === 0)
        throw new RunError('ProtocolError', `${ranks.length} ranks of ${programs.length} programs`);
      this.elsewhere.end();
      const place = this.placeOf(recorded[0].whole);
      const members = ranks.map(({ program, inputs }) => ({ ...recorded[program], inputs }));
      const runs = runsOnRanks(this.context, place, members, { pipeline, precise });
      this.keep(
        runs,
        members.map(member => member.inputs),
        site,
      );
      this.recorded = 0;
      return { ok: { ranks: runs.map((run, rank) => ({ run: place.call + rank, ...run.reply() })) } };
    },
    recordRanks: ({ first, ranks, instructions }) => ({ ok: { recorders: this.elsewhere.begin(first, ranks, instructions) } }),
    takeRank: ({ rank }) => {
      const { returned, ...ok } = this.elsewhere.take(rank);
      return { ok, payload: returned };
    },
    recorded: () => {
      throw new RunError('ProtocolError', 'nobody asked for this rank');
    },
    peek: (request, payload) => {
      const { bytes, ...known } = this.live.peek(request, payload);
      return { ok: known, payload: bytes };
    },
    'array.put': ({ dtype, shape }, payload) => ({ ok: { array: this.context.arrays.put(dtype, shape, payload) } }),
    'array.op': ({ op, operands, attributes, dtype, shape, site }) => {
      const { arrays } = this.context;
      const array = arrays.op(op, operands, attributes, dtype, shape);
      this.log.operation(op, operands, array, site);
      return { ok: { array } };
    },
    'array.get': ({ array, site }) => {
      const payload = this.context.arrays.bytes(array);
      this.log.read(array, site);
      return { ok: {}, payload };
    },
    'array.free': ({ array }) => {
      this.context.arrays.free(array);
      this.log.free(array);
      return { ok: {} };
    },
    recording: () => ({ ok: {} }),
    progress: ({ instructions }) => {
      this.recorded = instructions;
      this.context.options.onProgress({ phase: 'trace', instructions });
      const instructionLimit = this.context.options.limits.instructions;
      if (instructions > instructionLimit)
        throw new RunError('Limit', `the kernel recorded more than ${instructionLimit.toLocaleString('en')} instructions`);
      return { ok: {} };
    },
    reference: ({ function: name, arrays: handles }) => {
      const { arrays } = this.context;
      const outputs = handles.map(array => ({ shape: arrays.info(array).shape, values: arrays.values(array) }));
      this.runs.at(-1)?.compareWith(name, outputs);
      return { ok: {} };
    },
    profile: ({ rank }) => ({ ok: {}, payload: this.ofLastCall(rank).returned().profile }),
    ask: ({ about, given }, payload) => {
      const { answer, bytes } = answerAbout(about, payload, given ?? {});
      return { ok: answer, payload: bytes };
    },
    saveProfile: ({ name, rank, folder, overwrite }) => {
      const { paths, saveProfile } = this.context.options;
      const place = { name, ...(folder && { folder: paths.toHost(folder) }), ...(overwrite && { overwrite }) };
      if (this.runs.length === 0) throw new SaveError(`no kernel has run whose profile could be saved as ${name}`);
      const nkiprof = encodeNkiprof(this.ofLastCall(rank ?? 0).profile);
      return { ok: { path: paths.toPython(saveProfile(place, nkiprof)) } };
    },
    done: ({ error, kernels }) => {
      this.finished = { error, kernels };
      return { ok: {} };
    },
  };

  /** Calls and runs are numbered alike: a call on several ranks has a run for each. */
  private placeOf({ kernel }: Program) {
    return { call: this.made, callOfKernel: this.callsOf.get(kernel) ?? 0 };
  }

  /** @param inputs arrays of each run */
  private keep(runs: readonly KernelRun[], inputs: readonly (readonly number[])[], site: CallSite | undefined) {
    const [{ program }] = runs;
    this.callsOf.set(program.kernel, (this.callsOf.get(program.kernel) ?? 0) + 1);
    this.calls++;
    this.made += runs.length;
    if (this.context.options.keepsRuns === false) for (const run of this.runs.splice(0)) run.release();
    else
      this.log.launch(
        runs,
        { inputs: runs.flatMap((run, k) => run.argumentsAmong(inputs[k])), outputs: runs.flatMap(run => run.reply().outputs) },
        site,
      );
    this.runs.push(...runs);
  }

  private job(): KernelJob {
    const { request, paths, target, limits } = this.context.options;
    this.context.options.onProgress({ phase: 'trace', instructions: 0 });
    const overlay = Object.entries(request.overlay ?? {}).map(([file, text]) => [paths.toPython(file), text]);
    const put = (files: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, this.putFile(file)]));
    return {
      file: paths.toPython(request.file),
      root: paths.toPython(request.root),
      importPaths: (request.importPaths ?? []).map(paths.toPython),
      overlay: Object.fromEntries(overlay),
      kernel: request.kernel ?? null,
      referenceFunction: request.referenceFunction ?? null,
      args: request.args ?? {},
      inputs: put(request.inputs),
      fill: request.fill ?? 'zeros',
      grid: request.grid ?? null,
      ranks: request.ranks ?? null,
      hostTime: request.hostTime === true,
      rankInputs: (request.rankInputs ?? []).map(put),
      target,
      targetIsGiven: request.target !== undefined,
      machine: request.machine ? machineForPython(request.machine) : null,
      nkiVersion: request.nkiVersion ?? null,
      argv: request.argv ?? [],
      env: request.env ?? {},
      instructionLimit: limits.instructions,
      progressEvery: PROGRESS_EVERY,
    };
  }

  private putFile(file: string): KernelJob['inputs'][string] {
    const { dtype, shape, bytes } = readNpy(this.context.options.readFile(file));
    return { array: this.context.arrays.put(dtype, shape, bytes), dtype, shape };
  }

  private lastCall(): readonly KernelRun[] {
    return this.runs.slice(this.runs.findLastIndex(({ rank }) => rank === 0));
  }

  private ofLastCall(rank: number): KernelRun {
    const run = this.lastCall().find(({ rank: own }) => own === rank);
    if (!run) throw new RunError('ProtocolError', `the last call has no rank ${rank}`);
    return run;
  }

  /** Of the call that was being recorded, as far as it was told. */
  private howFar(): string {
    return this.recorded > 0 ? `, ${this.recorded.toLocaleString('en')} instructions into the kernel` : '';
  }

  /** Of values that were computed after the script had ended. */
  private lateError(error: unknown): UserError {
    const { kind, message } = this.errorReply(error);
    if (this.fault) throw this.fault;
    return { kind, message, file: null, line: null, traceback: null };
  }

  private errorReply(error: unknown): { kind: string; message: string; frame?: number } {
    if (error instanceof RunError) {
      this.lastRunError = error;
      return { kind: error.kind, message: error.message, frame: error.frame };
    }
    const { name, message } = error as Error;
    if (isUserError(error)) return { kind: name, message };
    this.fault ??= error;
    return { kind: 'SimulatorFault', message: `a fault of NKI Scope itself: ${message}` };
  }
}
