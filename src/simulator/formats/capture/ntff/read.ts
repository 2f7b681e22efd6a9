/** A Profile of an NTFF, the recording that Neuron's runtime makes, with or without the NEFF that ran: what `neuron-profile view` needs AWS's tools for. */
import { FormatError } from '../../../columns/container';
import type { Profile } from '../../../profile/profile';
import { buildFromCapture } from '../build';
import type { CaptureOptions } from '../legacyJson';
import { type Neff, readNeff } from '../neff/neff';
import { type Capture, emptyCapture } from '../rows';
import { type Ntff, type NtffGraph, readContainer } from './container';
import { packetsOf, transfersOf } from './dma';
import { instructionsOf, type NtffInstruction } from './instructions';
import { metricsOf } from './metrics';
import { type Joined, joinNeff, NOTHING_JOINED } from './program';
import { type ClockBase, clockBase } from './records';
import { dmaRows, instructionRows } from './rows';
import { type Window, windowOf } from './window';

export interface NtffOptions extends CaptureOptions {
  /** The NEFF that was recorded. One that was not named with `-n` and does not fit is left out with a warning. */
  neff?: { bytes: Uint8Array; required: boolean };
}

const VECTOR = 3;

/** What version 4 records on clocks whose relation to the others is not known. */
const UNALIGNED =
  'NTFF version 4: the Vector engine and the DMA engines are recorded on clocks of their own, and how these relate to the others is not known. Their events are left out; total_time and the other engines are as recorded.';

/** @throws FormatError saying what is wrong with the NTFF or the NEFF. */
export const readNtff = (file: Uint8Array, options: NtffOptions): Profile =>
  buildFromCapture(captureOfNtff(file, options), options.sourceText);

/** Its rows, of which no profile is made yet. @throws FormatError */
export function captureOfNtff(file: Uint8Array, { name, neff }: NtffOptions): Capture {
  const ntff = readContainer(file);
  return captureOf(ntff, name, programOf(ntff, neff));
}

interface Program {
  joined: Joined;
  neff?: Neff;
  /** Why there is no NEFF, although there is a file. */
  problem?: string;
}

function programOf({ graphs: [graph] }: Ntff, given: NtffOptions['neff']): Program {
  if (!given) return { joined: NOTHING_JOINED };
  try {
    const neff = readNeff(given.bytes, graph.name);
    return { joined: joinNeff(graph, neff), neff };
  } catch (error) {
    if (given.required || !(error instanceof FormatError)) throw error;
    return { joined: NOTHING_JOINED, problem: `Read without the NEFF beside it: ${error.message}` };
  }
}

function captureOf(ntff: Ntff, name: string, { joined, neff, problem }: Program): Capture {
  const base = clockBase(ntff);
  const [kernelGraph] = ntff.graphs;
  const aligned = (graph: NtffGraph) => alignedInstructions(ntff, graph, base);
  const instructions = ntff.graphs.map(aligned);
  const window = windowOf(kernelGraph, instructions[0]);
  const capture = emptyCapture(name);
  capture.instructions = instructionRows(ntff.graphs, instructions, window, joined);
  const summary = addDmas(capture, ntff, { base, window, joined });
  return {
    ...capture,
    instanceType: ntff.instanceType,
    cores: ntff.graphs.length,
    totalTimeNs: window.totalPs / 1000,
    summary: { ...summary, ...(neff?.compiler && { compiler_version: neff.compiler }) },
    tensors: neff?.tensors ?? [],
    warnings: [ntff.version === 4 && UNALIGNED, problem].flatMap(message => (message ? [{ message, category: 'warning' }] : [])),
  };
}

function alignedInstructions({ version }: Ntff, graph: NtffGraph, base: ClockBase): NtffInstruction[] {
  const all = instructionsOf(graph, base);
  return version === 4 ? all.filter(({ engine }) => engine !== VECTOR) : all;
}

/** @returns the summary */
function addDmas(capture: Capture, ntff: Ntff, { base, window, joined }: { base: ClockBase; window: Window; joined: Joined }) {
  const counted = { totalPs: window.totalPs, instructionCount: capture.instructions.length };
  if (ntff.version === 4) return metricsOf(ntff, { ...counted, packets: null, transfers: [] });
  const packets = ntff.graphs.map(graph => packetsOf(graph, base).filter(window.holds));
  const transfers = packets.map(transfersOf);
  const { rows, moved } = dmaRows(ntff.graphs, transfers, { window, joined, instructions: capture.instructions });
  capture.dmas = rows;
  const all = packets.flat().sort((a, b) => a.startPs - b.startPs);
  return { ...metricsOf(ntff, { ...counted, packets: all, transfers: transfers[0] }), ...moved };
}
