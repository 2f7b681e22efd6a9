/**
 * The run of a script that calls several kernels, as a profile of its own: a bar for each call on the row of the NeuronCore, at the place in the
 * script that made it, with the operations of the script's model between them (`outsideKernels.ts`). Each call has a profile of its own as
 * well, whose id is in `launches`.
 *
 * The clock is that of the NeuronCore. What the host does between two calls is not modelled: Python, loading a program and copying arrays
 * stand on the host's row at their moments, the latter two under the names of AWS's system profiles, and take no time. Python's time can be
 * measured (`scriptClock.ts`). It is that of this machine then, not of the host of a NeuronCore, and its bars say so.
 */
import { bytesText, counted } from '../analyze/format';
import { machineOf } from '../analyze/machineOf';
import { emptyGroup } from '../columns/groups';
import { operandTableOf } from '../compile/operands/text';
import { profileId } from '../formats/contentHash';
import type { Machine } from '../hardware/machine';
import { PROFILE_COLUMNS } from '../profile/codec';
import { type LaunchOfRun, NO_SEMAPHORE, type Profile, STALL, type Track } from '../profile/profile';
import { tensorText } from '../vocabulary/tensorText';
import type { CallLog, LogEntry, LoggedLaunch, LoggedOperation, LoggedTransfer } from './callLog';
import type { KernelRun } from './kernelRun';
import { bytesOf, operationCost } from './outsideKernels';
import { type LoggedSite, SiteFrames } from './siteFrames';

const TRACKS: Track[] = ['Host', 'NeuronCore'].map(name => ({ kind: 'engine', name, engine: name }));
const [HOST, DEVICE] = TRACKS.keys();
const UNKNOWN = '(time unknown)';
const MEASURED = 'Python (measured on this machine)';
/** Of measured time: any line of the script may have taken it. */
const SCRIPT: LoggedSite = { frames: [{ file: '(Python between kernel calls)', line: 0, function: '' }], layer: '' };
/** What is inside of kernels is in their own profiles. */
const EMPTY = ['waits', 'transfers', 'dmaSlices', 'allocations', 'iterations'] as const;
type EmptyGroups = Pick<Profile, (typeof EMPTY)[number]>;

/** Null where nothing beyond one kernel call is known: its own profile says all. */
export function runOfLaunches(log: CallLog, machine?: Machine): Profile | null {
  const launches = log.entries.filter(entry => 'runs' in entry);
  if (launches.length === 0 || log.entries.filter(entry => !('transfer' in entry)).length < 2) return null;
  return new Builder(log, machine ?? machineOf(launches[0].runs[0].profile), launches[0].runs[0].profile).profile();
}

const sum = (column: Iterable<number>) => {
  let total = 0;
  for (const value of column) total += value;
  return total;
};

function numberOf(texts: Map<string, number>, text: string): number {
  const known = texts.get(text) ?? texts.size;
  texts.set(text, known);
  return known;
}

/** The rank that the call lasts as long as. */
const slowestOf = (runs: readonly KernelRun[]) => runs.reduce((a, b) => (b.profile.totalTimeNs > a.profile.totalTimeNs ? b : a));

class Builder {
  private readonly rows: { track: number; opcode: number; frame: number; startNs: number; endNs: number; flops: number; text: string }[] =
    [];
  private readonly launches: LaunchOfRun[] = [];
  private readonly opcodes = new Map<string, number>();
  private readonly frames = new SiteFrames();
  private readonly loaded = new Set<string>();
  private nowNs = 0;
  private nclUs = 0;
  /** Of the script since the last kernel call; null: it was not measured. */
  private scriptNs: number | null = null;

  constructor(
    private readonly log: CallLog,
    private readonly machine: Machine,
    private readonly first: Profile,
  ) {}

  profile(): Profile {
    for (const entry of this.log.entries) {
      this.addScript(entry);
      if ('runs' in entry) this.addLaunch(entry);
      else if ('transfer' in entry) this.addTransfer(entry);
      else this.addOperation(entry);
    }
    const { rows, nowNs, first } = this;
    const index = Uint32Array.from(rows.keys());
    const { table, lists } = operandTableOf(
      rows.map(row => row.text),
      this.machine,
    );
    const { dialect, target, pipeline, machine } = first;
    const startNs = Float64Array.from(rows, row => row.startNs);
    return {
      kernel: counted(this.launches.length, 'kernel call'),
      ...{ dialect, target, pipeline, machine, simulated: true },
      totalTimeNs: nowNs,
      bodyStartNs: 0,
      bodyEndNs: nowNs,
      nclUs: this.nclUs,
      tracks: TRACKS,
      opcodes: [...this.opcodes.keys()],
      semaphores: [],
      inputs: [],
      outputs: [],
      checks: [],
      accuracy: this.accuracy(),
      launches: this.launches,
      instructions: {
        readyNs: startNs.slice(),
        startNs,
        endNs: Float64Array.from(rows, row => row.endNs),
        track: Uint16Array.from(rows, row => row.track),
        opcode: Uint16Array.from(rows, row => row.opcode),
        frame: Uint32Array.from(rows, row => row.frame),
        iteration: new Int32Array(rows.length).fill(-1),
        stall: new Uint8Array(rows.length).fill(STALL.none),
        blocker: new Int32Array(rows.length).fill(-1),
        origin: new Int32Array(rows.length).fill(-1),
        flops: Float32Array.from(rows, row => row.flops),
        operands: index.map(row => lists[row]),
        signal: new Uint8Array(rows.length).fill(NO_SEMAPHORE),
      },
      ...table,
      ...(Object.fromEntries(EMPTY.map(group => [group, emptyGroup(PROFILE_COLUMNS[group])])) as unknown as EmptyGroups),
      ...this.frames.finish(this.log.files),
    };
  }

  /** What Python does before an entry: measured, or at the end of the time between two kernel calls, where nobody knows how long it is. */
  private addScript(entry: LogEntry) {
    if (this.launches.length === 0) return;
    const { scriptNs } = entry;
    if (scriptNs === null) {
      if ('runs' in entry) this.add(HOST, `Python ${UNKNOWN}`, this.frames.of(entry.site), 0, 0, '');
      return;
    }
    this.scriptNs = (this.scriptNs ?? 0) + scriptNs;
    if (scriptNs > 0) this.add(HOST, MEASURED, this.frames.of(SCRIPT), scriptNs, 0, '');
  }

  private addLaunch({ runs, site }: LoggedLaunch) {
    const run = slowestOf(runs);
    const { profile } = run;
    const id = profileId(run.returned().profile);
    const frame = this.frames.of(site);
    const program = JSON.stringify([profile.kernel, profile.inputs, profile.target]);
    if (!this.loaded.has(program)) this.add(HOST, `nrt_load ${UNKNOWN}`, frame, 0, 0, profile.kernel);
    this.loaded.add(program);
    const [flops, bytes] = [sum(profile.instructions.flops), sum(profile.transfers.bytes)];
    const { kernel, totalTimeNs } = profile;
    this.launches.push({
      instruction: this.rows.length,
      kernel,
      call: run.callOfKernel,
      profile: id,
      ...(runs.length > 1 && { ranks: runs.length }),
      bytes,
      ...(this.scriptNs !== null && { scriptNs: this.scriptNs }),
    });
    this.scriptNs = null;
    const text = [...profile.inputs, ...profile.outputs].map(tensorText).join(' ');
    const startNs = this.nowNs;
    this.add(DEVICE, kernel, frame, totalTimeNs, flops, text);
    this.rows.push({
      ...this.rows[this.rows.length - 1],
      track: HOST,
      opcode: numberOf(this.opcodes, 'nrt_execute'),
      startNs,
      flops: 0,
      text: kernel,
    });
    this.nclUs += profile.nclUs;
  }

  private addOperation({ op, operands, result, site }: LoggedOperation) {
    const cost = operationCost(op, operands, result, this.machine);
    if (!cost) return;
    const { timeNs, flops, rule } = cost;
    const text = `${operands.map(tensorText).join(' ')} -> ${tensorText(result)}: ${rule}`;
    this.add(DEVICE, timeNs === null ? `${op} ${UNKNOWN}` : op, this.frames.of(site), timeNs ?? 0, flops, text);
  }

  private addTransfer({ transfer, arrays, site }: LoggedTransfer) {
    const bytes = arrays.reduce((total, array) => total + bytesOf(array), 0);
    const text = `${arrays.map(tensorText).join(' ')}: ${bytesText(bytes)}`;
    this.add(HOST, `nrt_tensor_${transfer} ${UNKNOWN}`, this.frames.of(site), 0, 0, text);
  }

  private add(track: number, opcode: string, frame: number, durationNs: number, flops: number, text: string) {
    const startNs = this.nowNs;
    this.nowNs += durationNs;
    this.rows.push({ track, opcode: numberOf(this.opcodes, opcode), frame, startNs, endNs: this.nowNs, flops, text });
  }

  private accuracy(): string {
    const own = `Kernel calls take what their own profiles say. ${this.first.accuracy}`;
    const host = this.log.entries.some(({ scriptNs }) => scriptNs !== null)
      ? "Python's time between them was measured on the machine that simulated: it differs from run to run and says nothing of the host of a NeuronCore. The time of loading programs and copying arrays is not modelled."
      : 'The time of the host between them (Python, loading programs, copying arrays) is not modelled.';
    const isModel = this.log.entries.some(entry => 'op' in entry);
    const outside = isModel
      ? ' Operations outside of kernels are estimated by the rule that their details name, or their time is unknown.'
      : '';
    const rest = this.log.dropped > 0 ? ` ${this.log.dropped} later calls and operations are left out.` : '';
    return `${own} ${host}${outside}${rest}`;
  }
}
