/** Makes a Profile from an NTFF, the recording that Neuron's runtime makes, with or without its NEFF. */
import { FormatError } from '../../../columns/container';
import type { Profile } from '../../../profile/profile';
import { buildFromCapture } from '../build';
import type { CaptureOptions } from '../legacyJson';
import { type Neff, readNeff } from '../neff/neff';
import { type Capture, emptyCapture } from '../rows';
import { alignedInstructions, alignedPackets, Changes } from './clocks';
import { ENGINES, type Ntff, readContainer } from './container';
import { type NtffPacket, packetsOf, transfersOf } from './dma';
import { instructionsOf, type NtffInstruction } from './instructions';
import { cautionOfLate, lateSemaphores } from './lateSemaphores';
import { metricsOf } from './metrics';
import { type Joined, joinNeff, NOTHING_JOINED } from './program';
import { clockBase } from './records';
import { dmaRows, instructionRows } from './rows';
import { type Window, windowOf } from './window';

export interface NtffOptions extends CaptureOptions {
  /** The NEFF that was recorded. One that was not named with `-n` and does not fit is left out with a warning. */
  neff?: { bytes: Uint8Array; required: boolean };
}

/** @throws FormatError that names the error in the NTFF or the NEFF. */
export const readNtff = (file: Uint8Array, options: NtffOptions): Profile =>
  buildFromCapture(captureOfNtff(file, options), options.sourceText);

/** The rows of a recording, before a profile is made of them. @throws FormatError */
export function captureOfNtff(file: Uint8Array, { name, neff }: NtffOptions): Capture {
  const ntff = readContainer(file);
  return captureOf(ntff, name, programOf(ntff, neff));
}

interface Program {
  joined: Joined;
  neff?: Neff;
  /** The reason why a NEFF file is not used. */
  problem?: string;
}

function programOf({ graphs: [graph], version }: Ntff, given: NtffOptions['neff']): Program {
  if (!given) return { joined: NOTHING_JOINED };
  try {
    const neff = readNeff(given.bytes, graph.name);
    return { joined: joinNeff(graph, neff, version), neff };
  } catch (error) {
    if (given.required || !(error instanceof FormatError)) throw error;
    return { joined: NOTHING_JOINED, problem: `Read without the NEFF beside it: ${error.message}` };
  }
}

function captureOf(ntff: Ntff, name: string, { joined, neff, problem }: Program): Capture {
  const events = (ntff.version === 4 ? alignedEvents : recordedEvents)(ntff);
  const [kernelGraph] = ntff.graphs;
  const window = windowOf(kernelGraph, events.instructions[0]);
  const capture = emptyCapture(name);
  capture.instructions = instructionRows(ntff.graphs, events.instructions, window, joined);
  const summary = addDmas(capture, ntff, { packets: events.packets, window, joined });
  return {
    ...capture,
    instanceType: ntff.instanceType,
    cores: ntff.graphs.length,
    totalTimeNs: window.totalPs / 1000,
    summary: { ...summary, ...(neff?.compiler && { compiler_version: neff.compiler }) },
    tensors: neff?.tensors ?? [],
    warnings: [events.caution, lateIn(ntff, events), problem].flatMap(message => (message ? [{ message, category: 'warning' }] : [])),
  };
}

/** On one clock, core by core. */
interface Events {
  instructions: NtffInstruction[][];
  /** null where they are on another clock than the instructions. */
  packets: NtffPacket[][] | null;
  /** What is uncertain. */
  caution?: string;
}

/** Of all cores, the warning of semaphores that came late. */
function lateIn(ntff: Ntff, { instructions }: Events): string | undefined {
  const base = clockBase(ntff);
  return cautionOfLate(ntff.graphs.flatMap((graph, core) => lateSemaphores(graph, instructions[core], new Changes(graph, base))));
}

function recordedEvents(ntff: Ntff): Events {
  const base = clockBase(ntff);
  return { instructions: ntff.graphs.map(one => instructionsOf(one, base)), packets: ntff.graphs.map(one => packetsOf(one, base)) };
}

function alignedEvents(ntff: Ntff): Events {
  const base = clockBase(ntff);
  const cores = ntff.graphs.map(graph => {
    const changes = new Changes(graph, base);
    const packets = packetsOf(graph, base);
    const aligned = alignedInstructions(graph, instructionsOf(graph, base), changes);
    return { ...aligned, packets: packets.length > 0 ? alignedPackets(packets, changes) : packets };
  });
  const packets = cores.flatMap(core => (core.packets ? [core.packets] : []));
  const isKnown = packets.length === cores.length;
  const lost = [...new Set(cores.flatMap(core => core.unknown))].map(engine => ENGINES[engine] ?? `engine ${engine}`);
  return {
    instructions: cores.map(core => core.instructions),
    packets: isKnown ? packets : null,
    caution: cautionOf([...lost, ...(isKnown ? [] : ['DMA'])]),
  };
}

/** What version 4 leaves uncertain. */
function cautionOf(lost: readonly string[]): string {
  const aligned =
    'NTFF version 4: each engine is recorded on a clock of its own. They are put on one by the semaphores that two of them record, engines to some 30 ns, DMA to some 0.1 us';
  return lost.length > 0 ? `${aligned}; of ${lost.join(', ')} nothing says where they lie, and they are left out` : aligned;
}

/** @returns the summary */
function addDmas(
  capture: Capture,
  ntff: Ntff,
  { packets, window, joined }: { packets: Events['packets']; window: Window; joined: Joined },
) {
  const counted = { totalPs: window.totalPs, instructionCount: capture.instructions.length };
  if (!packets) return metricsOf(ntff, { ...counted, packets: null, transfers: [] });
  const held = packets.map(list => list.filter(window.holds));
  const transfers = held.map(transfersOf);
  const { rows, moved } = dmaRows(ntff.graphs, transfers, { window, joined, instructions: capture.instructions });
  capture.dmas = rows;
  const all = held.flat().sort((a, b) => a.startPs - b.startPs);
  return { ...metricsOf(ntff, { ...counted, packets: all, transfers: transfers[0] }), ...moved };
}
