/**
 * One kernel call: its program timed at once, its values computed when somebody needs them (and then once, for all outputs).
 * A kernel over several cores is one run: one profile, with the rows of all of them.
 */

import type { CompileReport } from '../compile/report';
import { unrounded } from '../execute/unrounded';
import type { RunReply } from '../frontend/protocol';
import { encodeProfile } from '../profile/codec';
import type { CorePlaces } from '../profile/joinCores';
import type { Profile } from '../profile/profile';
import { type Program, TENSOR_KINDS, tensorShape } from '../program/program';
import { dtypes } from '../vocabulary/dtypes';
import type { Pipeline } from '../vocabulary/pipelines';
import { type BackendValues, type ExecuteOptions, RunError, type SimulateOptions, type SteppedExecution } from './backend';
import { type CaptureRun, MOST_RETURNED_BYTES, type ReturnedCall } from './capture';
import { rerunOf } from './keptRequest';
import { nonFiniteChecks } from './nonFiniteChecks';
import { writeNpy } from './npy';
import { isCheap } from './numerics';
import {
  againstFile,
  againstReference,
  type NarrowedErrors,
  narrowedErrors,
  type OutputErrors,
  type PrecisionReport,
  precisionReport,
  type Reference,
} from './precisionReport';
import type { SessionContext } from './sessionContext';

interface Output {
  name: string;
  shape: number[];
  dtype: string;
  /** Our own handle, beside the script's, which it may free. */
  handle: number;
}

export interface KernelRunOptions {
  pipeline?: Pipeline;
  /** False: narrow floats are not rounded. */
  precise?: boolean;
  /** Of each core, where its instructions stand in the whole program: (position, how many). */
  places?: readonly CorePlaces[];
  /** Of each core, its instructions that wait for the other cores. */
  coreBarriers?: readonly (readonly number[])[];
}

/** What a call recorded. */
export interface RecordedCall {
  whole: Program;
  /** Each core's own, with several cores: what is timed. */
  cores: readonly Program[];
  /** Arrays, in the order of the program's inputs. */
  inputs: number[];
}

/** Of a call on several ranks: what one of them has of the run of all (`rankedCall.ts`). */
export interface RankPart {
  rank: number;
  ranks: number;
  profile: Profile;
  /** Arrays of all ranks: their values may have a part in every result. */
  inputs: readonly number[];
  /** @returns this rank's outputs. */
  execute(inputs: BackendValues[]): BackendValues[];
}

/** Which call of the script it is, and which of its kernel, from 0. */
export interface Place {
  call: number;
  callOfKernel: number;
}

export class KernelRun {
  profile: Profile;
  /** Of each core, when they were asked for. */
  private readonly reports: CompileReport[] = [];
  private readonly outputs: Output[];
  private readonly scriptHandles: number[];
  private values: BackendValues[] | null = null;
  private precision: PrecisionReport | null = null;
  private narrowed: NarrowedErrors[] = [];
  private references: OutputErrors[] = [];
  /** Of a run that will be looked into: handles that outlive the script's. */
  private readonly heldInputs: number[] | null;
  /** What values are computed of. */
  readonly program: Program;
  readonly callOfKernel: number;
  private encoded: Uint8Array | undefined;

  constructor(
    private readonly session: SessionContext,
    { call, callOfKernel }: Place,
    { whole, cores, inputs }: RecordedCall,
    { pipeline, precise = true, coreBarriers, places }: KernelRunOptions,
    private readonly part?: RankPart,
  ) {
    const program = precise ? whole : unrounded(whole);
    this.program = program;
    if (inputs.length !== program.inputs.length)
      throw new RunError('ProtocolError', `${inputs.length} arrays for ${program.inputs.length} inputs of ${program.kernel}`);
    const { request, inspects } = session.options;
    this.callOfKernel = callOfKernel;
    this.heldInputs = inspects === call && !part ? inputs.map(array => session.arrays.duplicate(array)) : null;
    const { machine, policy, dge = 'auto' } = request;
    const asked = { pipeline: pipeline ?? request.pipeline ?? 'auto', dge, machine, policy };
    const timed = cores.length > 0 ? cores : [whole];
    // a kernel on several ranks is not run again for its values: those of one rank need all
    const rerun = part ? undefined : rerunOf(request, program.target, call);
    const onReport = request.explainCompile ? (report: CompileReport) => this.reports.push(report) : undefined;
    const simulated = part?.profile ?? this.simulate(timed, { ...asked, verified: whole, coreBarriers, places, onReport });
    this.profile = { ...simulated, ...(rerun && { rerun }) };
    const external = () => program.outputs.map((output, k) => this.external(output.tensor, k, part?.inputs ?? inputs));
    const own = external();
    this.scriptHandles = external();
    this.outputs = program.outputs.map(({ name, tensor }, k) => ({ name, handle: own[k], ...describe(program, tensor) }));
    if (this.needsValues) this.compute();
  }

  /** Of the arrays of its inputs, those that the caller gave: constants are in the program. */
  argumentsAmong(inputs: readonly number[]): number[] {
    const { program } = this;
    return inputs.filter((_, k) => TENSOR_KINDS[program.tensors.kind[program.inputs[k].tensor]] === 'input');
  }

  reply(): Omit<RunReply, 'run'> {
    const { totalTimeNs, bodyStartNs, bodyEndNs, nclUs } = this.profile;
    return {
      outputs: this.scriptHandles,
      dtypes: this.outputs.map(output => output.dtype),
      totalTimeNs,
      bodyNs: bodyEndNs - bodyStartNs,
      nclUs,
      checks: this.profile.checks,
    };
  }

  /** Values that the request wants though the script did not ask for them. */
  computeWanted() {
    const numerics = this.session.options.request.numerics ?? 'auto';
    if (this.needsValues || (numerics === 'auto' && isCheap(this.program, this.part?.ranks))) this.compute();
  }

  /** Whatever they cost. */
  private get needsValues(): boolean {
    const { numerics, precisionReport, references = [], referenceFunction, returnsOutputs } = this.session.options.request;
    return (
      returnsOutputs === true || numerics === 'on' || precisionReport === true || references.length > 0 || referenceFunction !== undefined
    );
  }

  /** @throws RunError for another number of outputs, or other shapes */
  compareWith(against: string, references: readonly Reference[]) {
    if (references.length !== this.outputs.length)
      throw new RunError('ValueError', `${against} returns ${references.length} arrays, and the kernel has ${this.outputs.length} outputs`);
    this.compute();
    this.references.push(...references.map((reference, k) => againstReference(reference, against, this.outputs[k], this.values![k])));
  }

  /** Of a call on several ranks; else 0. */
  get rank(): number {
    return this.part?.rank ?? 0;
  }

  /** Nobody will ask for it any more; the script may still hold its outputs. */
  release(): void {
    for (const { handle } of this.outputs) this.session.arrays.free(handle);
  }

  get hasValues(): boolean {
    return this.values !== null;
  }

  /** What is known of it before the script ends. */
  returned(): ReturnedCall {
    this.encoded ??= encodeProfile(this.profile);
    const id = { kernel: this.program.kernel, call: this.callOfKernel, ...(this.part && { rank: this.part.rank }) };
    return { id, profile: this.encoded };
  }

  result(): CaptureRun {
    const { backend } = this.session.options;
    const outputs = this.outputs.map(({ name, shape, dtype }, k) => {
      const checksum = this.values ? backend.checksum(dtype, this.values[k]) : null;
      return { name, shape, dtype, checksum };
    });
    const { kernel, checks } = this.profile;
    return {
      ...this.returned(),
      kernel,
      outputs,
      checks,
      ...this.returnedValues(),
      ...(this.precision && { precision: this.precision }),
      ...(this.narrowed.length > 0 && { narrowed: this.narrowed }),
      ...(this.references.length > 0 && { references: this.references }),
      ...(this.reports.length > 0 && { compile: this.reports }),
    };
  }

  private returnedValues(): Pick<CaptureRun, 'values'> {
    const { values } = this;
    if (!this.session.options.request.returnsOutputs || !values) return {};
    const files = this.outputs.map(({ shape }, k) => writeNpy(shape, values[k]));
    return files.reduce((sum, file) => sum + file.length, 0) > MOST_RETURNED_BYTES ? {} : { values: files };
  }

  /** @throws RunError */
  inspect(): SteppedExecution {
    if (!this.heldInputs) throw new RunError('ProtocolError', `${this.program.kernel} was not run to be looked into`);
    const arrays = this.heldInputs;
    const { backend, request } = this.session.options;
    const inputs = new Map(this.program.inputs.map(({ tensor }, k) => [tensor, this.session.arrays.values(arrays[k])]));
    return backend.inspect(this.program, inputs, request.machine);
  }

  private simulate(cores: readonly Program[], options: Omit<SimulateOptions, 'onPhase'>): Profile {
    const { session } = this;
    let phase: 'compile' | 'schedule' = 'compile';
    let since = performance.now();
    const next = (to: 'compile' | 'schedule') => {
      const now = performance.now();
      session.spentMs[phase] += now - since;
      [phase, since] = [to, now];
      session.options.onProgress({ phase });
    };
    try {
      return session.options.backend.simulate(cores, { ...options, onPhase: next });
    } finally {
      next(phase);
    }
  }

  /** @throws RunError for a file that is none, or of another shape */
  private againstReferences(outputs: readonly BackendValues[]): OutputErrors[] {
    const { request, readFile } = this.session.options;
    return (request.references ?? []).map((file, k) => againstFile(readFile(file), file, this.outputs[k], outputs[k]));
  }

  private reportPrecision(given: ReadonlyMap<number, BackendValues>, outputs: readonly BackendValues[], options: ExecuteOptions) {
    const wanted = this.program.outputs.map(output => output.tensor);
    const compared = this.session.options.backend.precision(this.program, given, wanted, options);
    return precisionReport(this.program, compared, outputs);
  }

  private executeNarrowed(
    given: ReadonlyMap<number, BackendValues>,
    outputs: readonly BackendValues[],
    options: ExecuteOptions,
  ): NarrowedErrors[] {
    const { backend, request } = this.session.options;
    const wanted = this.program.outputs.map(output => output.tensor);
    return (request.narrowings ?? []).map(narrowing =>
      narrowedErrors(this.program, backend.narrowed(this.program, given, wanted, options, narrowing), outputs),
    );
  }

  /** NaN and infinity are said with where they came from, as a check like others. */
  private checkFinite(given: ReadonlyMap<number, BackendValues>, outputs: readonly BackendValues[]) {
    const { backend, request, interrupt } = this.session.options;
    const stepped = () => backend.inspect(this.program, given, request.machine);
    const checks = nonFiniteChecks(this.program, { given, outputs, stepped, shouldStop: () => interrupt.reason !== 'none' });
    if (checks.length === 0) return;
    this.profile = { ...this.profile, checks: [...this.profile.checks, ...checks] };
    this.encoded = undefined;
  }

  private compute() {
    for (const { handle } of this.outputs) this.session.arrays.values(handle);
  }

  /** An array whose values come from executing the program. */
  private external(tensor: number, k: number, inputs: readonly number[]): number {
    const { dtype, shape } = describe(this.program, tensor);
    return this.session.arrays.external(dtype, shape, values => this.execute(values)[k], inputs);
  }

  private execute(inputs: BackendValues[]): BackendValues[] {
    if (this.values) return this.values;
    const { request, backend, interrupt } = this.session.options;
    if (request.numerics === 'off')
      throw new RunError('NumericsOff', 'the script asks for values of a kernel, and numerics are off: run with numerics on or auto');
    if (this.part) {
      const { part } = this;
      this.values = this.session.timed('execute', () => part.execute(inputs));
      return this.values;
    }
    const given = new Map(this.program.inputs.map(({ tensor }, k) => [tensor, inputs[k]]));
    const wanted = this.program.outputs.map(output => output.tensor);
    const options = { machine: request.machine, shouldStop: () => interrupt.reason !== 'none' };
    const { values } = this.session.timed('execute', () => {
      const computed = backend.execute(this.program, given, wanted, options);
      this.checkFinite(given, computed);
      if (request.precisionReport) this.precision = this.reportPrecision(given, computed, options);
      this.narrowed = this.executeNarrowed(given, computed, options);
      this.references.push(...this.againstReferences(computed));
      return { values: computed };
    });
    this.values = values;
    return values;
  }
}

function describe(program: Program, tensor: number): { shape: number[]; dtype: string } {
  const code = program.tensors.dtype[tensor];
  const dtype = dtypes.find(row => row.code === code);
  if (!dtype) throw new RunError('ProtocolError', `no dtype has the code ${code}`);
  return { shape: [...tensorShape(program, tensor)], dtype: dtype.name };
}
