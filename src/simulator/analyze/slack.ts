/**
 * Slack: how much later each event could start and end while the kernel's body ends when it did, everything else in its order and at its
 * length (total float of the critical path method, Kelley and Walker 1959). Events hold each other up by the engine that they share, by
 * semaphores, by DMA queues, and as the scheduler says whom each waited for. What waits for an event leaves it the time between its end and
 * the wait's, the hop of the semaphore taken off. What only shares bandwidth is not looked at: DMAs that move to another moment may slow
 * down others there.
 */
import { orderOf } from '../columns/order';
import { type Machine, triggerLatencyNs } from '../hardware/machine';
import { DIRECTIONS, type Profile } from '../profile/profile';
import { type DgeMode, DMA_CLASSES, type DmaClass, dmaClass } from '../vocabulary/queues';
import { Producers } from './dependencies';
import { eventCount, eventValue, instructionRows, transferEvent, transferRows, visibleNs } from './eventAccess';
import { machineOf } from './machineOf';

const MODES: Readonly<Record<DmaClass, DgeMode>> = { static: 'static', software_dynamic: 'software', hardware_dynamic: 'hardware' };

/** Event -> slack in ns, at least 0. */
export function slackNs(p: Profile): Float64Array {
  const edges = new Edges(p);
  const count = eventCount(p);
  const slack = new Float64Array(count);
  const starts = new Float64Array(count);
  for (let event = 0; event < count; event++) {
    starts[event] = eventValue(p, event, 'startNs');
    slack[event] = Math.max(0, p.bodyEndNs - eventValue(p, event, 'endNs'));
  }
  const order = orderOf(starts);
  // the last first: events that wait for an event are handled before it
  for (let k = count - 1; k >= 0; k--) {
    const event = order[k];
    edges.forEachBefore(event, (before, gapNs) => {
      const most = slack[event] + Math.max(0, gapNs);
      if (most < slack[before]) slack[before] = most;
    });
  }
  return slack;
}

/** The events that an event depends on, and the time between them. */
class Edges {
  private readonly machine: Machine;
  private readonly producers: Producers;
  /** Event -> the previous event on its engine or queue; -1 if there is none. */
  private readonly before: Int32Array;
  /** Instruction -> its first row in `waits`. */
  private readonly firstWait: Uint32Array;
  private readonly latencyNs: Float64Array;

  constructor(private readonly p: Profile) {
    this.machine = machineOf(p);
    this.producers = new Producers(p);
    this.before = beforeOnTrack(p);
    this.firstWait = new Uint32Array(instructionRows(p) + 1);
    for (const instruction of p.waits.instruction) this.firstWait[instruction + 1]++;
    for (let i = 0; i < instructionRows(p); i++) this.firstWait[i + 1] += this.firstWait[i];
    this.latencyNs = Float64Array.from(p.tracks.flatMap(track => [false, true].map(reads => this.latencyOf(track.name, reads))));
  }

  forEachBefore(event: number, visit: (before: number, gapNs: number) => void) {
    const { p } = this;
    const start = eventValue(p, event, 'startNs');
    const ready = eventValue(p, event, 'readyNs');
    const blocker = eventValue(p, event, 'blocker');
    if (blocker >= 0) visit(blocker, 0);
    const instructions = instructionRows(p);
    const before = this.before[event];
    if (event < instructions) {
      if (before >= 0) visit(before, this.gapOnEngine(before, blocker, start, ready));
      for (let w = this.firstWait[event]; w < this.firstWait[event + 1]; w++) {
        const producer = this.producers.of(p.waits.semaphore[w], p.waits.value[w]);
        if (producer >= 0 && producer !== event && producer !== blocker)
          visit(producer, start - visibleNs(p, producer) - this.hopNs(producer, event));
      }
      return;
    }
    const row = event - instructions;
    const trigger = p.transfers.trigger[row];
    const reads = DIRECTIONS[p.transfers.direction[row]].startsWith('hbm') ? 1 : 0;
    if (trigger >= 0 && trigger !== blocker) visit(trigger, start - ready - this.latencyNs[2 * p.transfers.track[row] + reads]);
    if (before >= 0 && before !== blocker) visit(before, start - eventValue(p, before, 'endNs'));
  }

  /**
   * What came before on the engine may be what this one reads: then it leaves no more than the time since its end. A wait that no blocker
   * explains, such as for a memory port, would follow a later event, too.
   */
  private gapOnEngine(before: number, blocker: number, startNs: number, readyNs: number): number {
    if (blocker < 0 || visibleNs(this.p, blocker) <= readyNs) return 0;
    const sinceEnd = startNs - visibleNs(this.p, before);
    return sinceEnd < 0 ? startNs - readyNs : Math.min(sinceEnd, startNs - readyNs);
  }

  /** From who raises a semaphore to who waits for it. */
  private hopNs(from: number, to: number): number {
    const { semaphoreNs, dmaSemaphoreNs } = this.machine;
    const { tracks } = this.p;
    const waiting = tracks[eventValue(this.p, to, 'track')].engine;
    if (from >= instructionRows(this.p)) return (dmaSemaphoreNs[waiting as keyof typeof dmaSemaphoreNs] ?? dmaSemaphoreNs.default).value;
    return (semaphoreNs[`${tracks[eventValue(this.p, from, 'track')].engine}->${waiting}`] ?? semaphoreNs['default']).value;
  }

  /** From trigger to first packet. */
  private latencyOf(queue: string, reads: boolean): number {
    return triggerLatencyNs(this.machine.dma, MODES[DMA_CLASSES.find(name => name === dmaClass(queue)) ?? 'static'], reads);
  }
}

function beforeOnTrack(p: Profile): Int32Array {
  const result = new Int32Array(eventCount(p));
  const engines = [
    ...new Set(p.tracks.map(track => `${track.kind} ${track.kind === 'engine' ? track.engine : track.name} ${track.core ?? 0}`)),
  ];
  const ofTrack = p.tracks.map(track =>
    engines.indexOf(`${track.kind} ${track.kind === 'engine' ? track.engine : track.name} ${track.core ?? 0}`),
  );
  const last = new Int32Array(engines.length).fill(-1);
  const put = (event: number, track: number) => {
    result[event] = last[ofTrack[track]];
    last[ofTrack[track]] = event;
  };
  for (let i = 0; i < instructionRows(p); i++) put(i, p.instructions.track[i]);
  for (let t = 0; t < transferRows(p); t++) put(transferEvent(p, t), p.transfers.track[t]);
  return result;
}
