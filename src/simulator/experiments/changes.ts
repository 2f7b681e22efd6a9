/**
 * The changes that an experiment can make, and what each does to the machine code. A change never touches what it is given: columns
 * that differ are new ones.
 */
import { BUFFER, ENGINES, type Schedulable, TENSOR, TENSOR_MATRIX, TRACK_ENGINE } from '../compile/compiled';
import { DGE_MODES, type Machine, triggerIssueNs } from '../hardware/machine';
import { withValues } from '../hardware/withValues';
import { NoExperiment } from './noExperiment';

/** `speed`: how many times as fast; Infinity: free. */
export type Change =
  /** All that these events cost, by event as compiled: 1 where it belongs to the line. */
  | { kind: 'events'; events: Uint8Array; speed: number }
  | { kind: 'resource'; name: string; speed: number }
  /** Semaphores are seen at once. */
  | { kind: 'semaphores' }
  /** The PE array is at full clock from the start. */
  | { kind: 'clock' }
  /** Nothing waits until a buffer is free: as if there were as many buffers as uses. */
  | { kind: 'buffers' }
  /** Descriptors of all DMAs are made by the hardware. */
  | { kind: 'descriptors' }
  /** First bytes move as soon as a DMA is triggered, and its end is seen at once. */
  | { kind: 'dma starts' };

/** @throws NoExperiment where the machine has nothing of the kind */
export function changed(code: Schedulable, change: Change): Schedulable {
  switch (change.kind) {
    case 'events':
      return faster(code, change.events, change.speed);
    case 'resource':
      return withResource(code, change.name, change.speed);
    case 'semaphores':
      return { ...code, machine: withoutHops(code.machine) };
    case 'clock':
      return { ...code, machine: { ...code.machine, tensor: { ...code.machine.tensor, clock: undefined } } };
    case 'buffers':
      return withoutWaits(code, BUFFER);
    case 'descriptors':
      return withHardwareDescriptors(code);
    case 'dma starts':
      return withFixedShare(
        code,
        transferEvents(code, () => true),
        0,
      );
  }
}

/** What `--resource` can name in this machine code: engines with instructions, queues, all DMA engines, HBM. */
export function resources({ streams, queues, transfers }: Schedulable): string[] {
  const engines = ENGINES.filter((_, k) => streams[k].length > 0);
  return [...engines, ...queues.map(queue => queue.name), ...(transfers.queue.length > 0 ? ['DMA', 'HBM'] : [])];
}

function withResource(code: Schedulable, name: string, speed: number): Schedulable {
  const engine = ENGINES.findIndex(known => known === name);
  if (engine >= 0)
    return faster(
      code,
      instructionEvents(code, i => TRACK_ENGINE[code.instructions.track[i]] === engine),
      speed,
    );
  const queue = code.queues.findIndex(known => known.name === name);
  if (queue >= 0)
    return faster(
      code,
      transferEvents(code, t => code.transfers.queue[t] === queue),
      speed,
    );
  if (name === 'DMA')
    return faster(
      code,
      transferEvents(code, () => true),
      speed,
    );
  if (name === 'HBM') return withHbm(code, speed);
  throw new NoExperiment(`there is no resource ${name} in this profile; there are ${resources(code).join(', ')}`);
}

/** HBM that delivers and takes more; each DMA engine moves what it did. */
function withHbm(code: Schedulable, speed: number): Schedulable {
  const { hbmReadBytesPerNs, writeBytesPerNs, hbmReadNs } = code.machine.dma;
  return {
    ...code,
    machine: withValues(code.machine, {
      'dma.hbmReadBytesPerNs': hbmReadBytesPerNs.value * speed,
      'dma.writeBytesPerNs': writeBytesPerNs.value * speed,
      'dma.hbmReadNs': hbmReadNs.value / speed,
    }),
  };
}

function withoutHops(machine: Machine): Machine {
  const paths = [
    ...Object.keys(machine.semaphoreNs).map(pair => `semaphoreNs.${pair}`),
    ...Object.keys(machine.dmaSemaphoreNs).map(engine => `dmaSemaphoreNs.${engine}`),
  ];
  return withValues(machine, Object.fromEntries(paths.map(path => [path, 0])));
}

function withoutWaits(code: Schedulable, kind: number): Schedulable {
  const { start, event, kind: kinds } = code.dependencies;
  const kept = { start: new Uint32Array(start.length), event: new Uint32Array(event.length), kind: new Uint8Array(event.length) };
  let rows = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    for (let d = start[i]; d < start[i + 1]; d++) {
      if (kinds[d] === kind) continue;
      kept.event[rows] = event[d];
      kept.kind[rows++] = kinds[d];
    }
    kept.start[i + 1] = rows;
  }
  return { ...code, dependencies: { start: kept.start, event: kept.event.subarray(0, rows), kind: kept.kind.subarray(0, rows) } };
}

function withHardwareDescriptors(code: Schedulable): Schedulable {
  const trigger = code.machine.dma.triggers.hardware;
  if (!trigger) throw new NoExperiment(`${code.machine.product} has no hardware that makes descriptors`);
  const hardware = DGE_MODES.indexOf('hardware');
  const { issueNs, durationNs } = code.instructions;
  const instructions = { ...code.instructions, issueNs: issueNs.slice(), durationNs: durationNs.slice() };
  for (let t = 0; t < code.transfers.mode.length; t++) {
    if (code.transfers.mode[t] !== DGE_MODES.indexOf('software')) continue;
    const i = code.transfers.trigger[t];
    instructions.issueNs[i] = triggerIssueNs(trigger, code.transfers.packets[t]);
    instructions.durationNs[i] = trigger.leadNs.value + trigger.durationNs.value;
  }
  const mode = code.transfers.mode.map(how => (DGE_MODES[how] === 'software' ? hardware : how));
  return { ...code, instructions, transfers: { ...code.transfers, mode } };
}

/** These events take a `speed`-th of their time: instructions, and what transfers move and wait for. */
function faster(code: Schedulable, events: Uint8Array, speed: number): Schedulable {
  const count = code.instructions.track.length;
  const { issueNs, durationNs, track } = code.instructions;
  const instructions = { ...code.instructions, issueNs: issueNs.slice(), durationNs: durationNs.slice() };
  for (let i = 0; i < count; i++) {
    if (!events[i]) continue;
    instructions.issueNs[i] /= speed;
    instructions.durationNs[i] /= speed;
  }
  const sooner = withFixedShare(
    { ...code, instructions },
    events.map((is, e) => (is && (e >= count || isTensor(track[e])) ? 1 : 0)),
    1 / speed,
  );
  return withFasterCuts(sooner, events, speed);
}

const isTensor = (track: number) => track === TENSOR || track === TENSOR_MATRIX;

/** Transfers of these events move a `speed`-th of their bytes in a `speed`-th of their packets: cuts of their own. */
function withFasterCuts(code: Schedulable, events: Uint8Array, speed: number): Schedulable {
  const count = code.instructions.track.length;
  const ways = code.cuts.speed.length;
  const cut = code.transfers.cut.slice();
  let any = false;
  for (let t = 0; t < cut.length; t++) {
    if (!events[count + t]) continue;
    any = true;
    cut[t] += ways;
  }
  if (!any) return code;
  const doubled = (column: ArrayLike<number>, factor: number) => {
    const result = new Float64Array(2 * column.length);
    for (let k = 0; k < column.length; k++) {
      result[k] = column[k];
      result[column.length + k] = column[k] * factor;
    }
    return result;
  };
  const cuts = {
    packets: doubled(code.cuts.packets, 1 / speed),
    bytes: doubled(code.cuts.bytes, 1 / speed),
    speed: doubled(code.cuts.speed, 1),
  };
  return { ...code, cuts, transfers: { ...code.transfers, cut } };
}

/** Of the times that the machine adds to these events whatever they move, this share is left. */
function withFixedShare(code: Schedulable, events: Uint8Array, share: number): Schedulable {
  const before = code.fixedShare;
  const fixedShare = new Float64Array(events.length);
  for (let e = 0; e < events.length; e++) fixedShare[e] = (before?.[e] ?? 1) * (events[e] ? share : 1);
  return { ...code, fixedShare };
}

function instructionEvents({ instructions, transfers }: Schedulable, is: (i: number) => boolean): Uint8Array {
  const count = instructions.track.length;
  const result = new Uint8Array(count + transfers.queue.length);
  for (let i = 0; i < count; i++) result[i] = is(i) ? 1 : 0;
  return result;
}

function transferEvents({ instructions, transfers }: Schedulable, is: (t: number) => boolean): Uint8Array {
  const count = instructions.track.length;
  const result = new Uint8Array(count + transfers.queue.length);
  for (let t = 0; t < transfers.queue.length; t++) result[count + t] = is(t) ? 1 : 0;
  return result;
}
