/** Instructions and transfers of an NTFF as rows that any capture has (`../rows.ts`). What the file does not say stays unknown. */
import { type Semaphore, signalText, waitText } from '../../../profile/profile';
import type { NeffDma } from '../neff/dmaList';
import { type CapturedDma, type CapturedInstruction, NO_SOURCE, NOT_OURS } from '../rows';
import { ENGINES, type NtffGraph } from './container';
import type { NtffTransfer } from './dma';
import { dmaText, raisedByDma } from './dmaWord';
import { DynamicTriggers, dynamicQueueOf } from './dynamicTriggers';
import { type NtffInstruction, wordOf } from './instructions';
import { endOf, isStatic, payloadBytes } from './metrics';
import { patternsText } from './patterns';
import type { Joined } from './program';
import type { Window } from './window';
import { DMA_TRIGGER, markOf, matmulShape, opcodeName, semaphoresOf } from './words';

/** DMA engines of a chip are numbered from here. */
const FIRST_DMA_ENGINE = 64;

/** By start. @param recorded by core */
export function instructionRows(
  graphs: readonly NtffGraph[],
  recorded: readonly (readonly NtffInstruction[])[],
  window: Window,
  joined: Joined,
): PlacedInstruction[] {
  const texts = graphs.map((graph, core) => new OperandTexts(graph, core === 0 ? joined : null));
  const all = recorded.flatMap((list, core) => list.filter(window.begins).map(one => ({ core, one })));
  all.sort((a, b) => a.one.startPs - b.one.startPs);
  return all.map(({ core, one }, id) => {
    const word = wordOf(graphs[core], one);
    const isTrigger = core === 0 && joined.dma(one.engine, one.index) !== undefined;
    const matmul = word && matmulShape(word);
    const engine = ENGINES[one.engine] ?? `Engine ${one.engine}`;
    return {
      id: String(id),
      place: placeOf(core, one),
      startNs: window.ns(one.startPs),
      endNs: window.ns(one.endPs),
      waitNs: 0,
      engine,
      label: matmul ? 'TensorMatrix' : engine,
      core,
      opcode: isTrigger ? DMA_TRIGGER.name : opcodeName(word),
      operands: texts[core].of(one, word),
      pc: one.index,
      // a multiply and an add each
      flops: matmul ? 2 * matmul.rows * matmul.columns * matmul.moved : 0,
      source: NO_SOURCE,
      predecessors: [],
      reason: null,
      own: NOT_OURS,
    };
  });
}

/** With its place in memory, by which triggers are found. */
export type PlacedInstruction = CapturedInstruction & { place?: string };

const placeOf = (core: number, { engine, index }: { engine: number; index: number }) => `${core} ${engine} ${index}`;

/** Operands in Neuron Explorer's words: semaphores, then what the instruction is. */
class OperandTexts {
  /** A semaphore has the name of the engine or queue that raises it. */
  private readonly names = new Map<number, string>();

  constructor(
    graph: NtffGraph,
    private readonly joined: Joined | null,
  ) {
    for (const [engine, { program }] of graph.engines)
      for (let index = program.first; index < program.end; index++) {
        const word = wordOf(graph, { engine, index, startPs: 0, endPs: 0 });
        const name = ENGINES[engine] ?? String(engine);
        const signal = word && semaphoresOf(word).signal;
        if (signal !== null) this.names.set(signal, name);
        const raised = word && raisedByDma(word);
        if (raised !== null) this.names.set(raised, dynamicQueueOf(graph.rings, name) ?? 'DMA');
      }
    for (const [queue, triggers] of joined?.queues ?? [])
      for (const { dma } of triggers) if (dma.semaphore !== null) this.names.set(dma.semaphore, queue);
  }

  of(one: NtffInstruction, word: Uint8Array | null): string {
    if (!word) return '';
    const { wait, signal } = semaphoresOf(word);
    return [
      wait && waitText(this.semaphore(wait.semaphore), wait.value),
      signal !== null && signalText(this.semaphore(signal)),
      markOf(word) >= 0 && `hint=${markOf(word)}`,
      patternsText(word),
      dmaText(word),
      this.raisedText(one),
      shapeText(word),
      this.joined?.name(one.engine, one.index),
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** Of a trigger: what its DMA raises, by one on each DMA engine. */
  private raisedText({ engine, index }: NtffInstruction): string {
    const semaphore = this.joined?.dma(engine, index)?.semaphore ?? null;
    return semaphore === null ? '' : `semaphore=${semaphore}`;
  }

  private semaphore(id: number): Semaphore {
    return { id, name: (this.names.get(id) ?? 'unknown').replace(/[()]/g, '') };
  }
}

function shapeText(word: Uint8Array): string {
  const matmul = matmulShape(word);
  return matmul ? `${matmul.rows}*${matmul.columns}` : '';
}

interface DmaContext {
  window: Window;
  joined: Joined;
  instructions: readonly PlacedInstruction[];
}

/** Each transfer and its packets. `moved`: bytes of HBM that the kernel read and wrote, where the NEFF says what every transfer is. */
export function dmaRows(graphs: readonly NtffGraph[], transfers: readonly (readonly NtffTransfer[])[], context: DmaContext) {
  const rows: CapturedDma[] = [];
  const triggers = new Map<string, string>();
  const dynamic = new DynamicTriggers(context.instructions);
  for (const { place, id } of context.instructions) if (place !== undefined && !triggers.has(place)) triggers.set(place, id);
  const known: NeffDma[] = [];
  for (const [core, list] of transfers.entries()) {
    const names = queueNames(graphs[core]);
    const counts = new Map<string, number>();
    const nameOf = ({ packets: [{ engine, queue }] }: NtffTransfer) =>
      names.get(`${engine} ${queue}`) ?? names.get(`${queue}`) ?? `Q${queue}`;
    for (const transfer of list) counts.set(nameOf(transfer), (counts.get(nameOf(transfer)) ?? 0) + 1);
    for (const transfer of list) {
      const queue = nameOf(transfer);
      const planned = core === 0 ? context.joined.queues.get(queue) : undefined;
      // without a one to one relation no transfer of the queue is known
      const plan = planned?.length === counts.get(queue) ? planned![transfer.place] : undefined;
      if (plan) known.push(plan.dma);
      const place = plan && placeOf(core, plan);
      const trigger = place === undefined ? dynamic.of(core, queue, counts.get(queue)!)[transfer.place] : triggers.get(place);
      rows.push(...rowsOf(transfer, { core, queue, id: `dma ${rows.length}`, dma: plan?.dma, trigger: trigger ?? null }, context.window));
    }
  }
  const planned = [...context.joined.queues.values()].reduce((sum, { length }) => sum + length, 0);
  const isAllKnown = planned > 0 && known.length === planned && isStatic(graphs);
  return { rows, moved: isAllKnown ? hbmBytes(known) : {} };
}

interface TransferWords {
  core: number;
  queue: string;
  id: string;
  dma: NeffDma | undefined;
  trigger: string | null;
}

function rowsOf({ packets }: NtffTransfer, { core, queue, id, dma, trigger }: TransferWords, window: Window): CapturedDma[] {
  const common = {
    group: id,
    waitNs: 0,
    core,
    queue,
    variable: dma?.variable ?? '',
    from: dma?.from ?? 'unknown',
    to: dma?.to ?? 'unknown',
    source: NO_SOURCE,
    predecessors: [],
    reason: null,
    trigger,
    own: NOT_OURS,
  };
  const whole: CapturedDma = {
    ...common,
    id,
    whole: true,
    startNs: window.ns(packets[0].startPs),
    endNs: window.ns(endOf(packets)),
    doneNs: window.ns(packets.reduce((latest, { donePs }) => Math.max(latest, donePs), 0)),
    engine: 0,
    bytes: payloadBytes(packets),
    packets: packets.length,
    elements: dma?.elements,
    writes: dma?.writes,
  };
  const each = packets.map(
    (packet, k): CapturedDma => ({
      ...common,
      id: `${id} packet ${k}`,
      whole: false,
      startNs: window.ns(packet.startPs),
      endNs: window.ns(packet.endPs),
      doneNs: window.ns(packet.donePs),
      engine: FIRST_DMA_ENGINE + packet.engine,
      bytes: payloadBytes([packet]),
      packets: 1,
    }),
  );
  return [whole, ...each];
}

/** By DMA engine and queue, and by queue alone where several engines have a ring of one name: that of a single engine says nothing of the others. */
function queueNames({ rings }: NtffGraph): Map<string, string> {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  for (const { engine, queue, name } of rings) {
    names.set(`${engine - FIRST_DMA_ENGINE} ${queue}`, name);
    if (seen.has(`${queue} ${name}`) && !names.has(`${queue}`)) names.set(`${queue}`, name);
    seen.add(`${queue} ${name}`);
  }
  return names;
}

function hbmBytes(dmas: readonly NeffDma[]): Record<string, number> {
  const sum = (of: (dma: NeffDma) => number) => dmas.reduce((bytes, dma) => bytes + of(dma), 0);
  return {
    hbm_read_bytes: sum(({ from, readBytes }) => (from === 'hbm' ? readBytes : 0)),
    hbm_write_bytes: sum(({ to, writeBytes }) => (to === 'hbm' ? writeBytes : 0)),
  };
}
