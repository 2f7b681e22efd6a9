/** Numbers and names in Neuron's formats: program counters, memories, queue types, dependences, source locations. */

import { framePosition, hasSource } from '../analyze/places';
import { withoutCore } from '../profile/ofCore';
import { DIRECTIONS, type Profile, STALL } from '../profile/profile';
import { dmaClass } from '../vocabulary/queues';

/** Per instruction its index in its engine's stream, both rows of the Tensor engine counted together. */
export function programCounters(p: Profile): Uint32Array {
  const first = new Map<string, number>();
  const engineOf = p.tracks.map(({ engine, core = 0 }, track) => {
    const key = `${engine} ${core}`;
    if (!first.has(key)) first.set(key, track);
    return first.get(key)!;
  });
  const next = new Uint32Array(p.tracks.length);
  const pc = new Uint32Array(p.instructions.track.length);
  for (let i = 0; i < pc.length; i++) pc[i] = next[engineOf[p.instructions.track[i]]]++;
  return pc;
}

/** The track's name without its core: `Tensor (nc1)` is `Tensor`. */
export const labelOf = ({ name, core }: Profile['tracks'][number]) => (core === undefined ? name : withoutCore(name, core));

/** `file.py:42`; null if a capture does not have it. */
export function location(p: Profile, frame: number): string | null {
  const { file, line } = framePosition(p, frame);
  return hasSource(p, frame) ? `${file}:${line}` : null;
}

const DEPENDENCE: Readonly<Record<number, string>> = {
  [STALL.data]: 'FLOW_DEPENDENCE',
  [STALL.dma]: 'FLOW_DEPENDENCE',
  [STALL.buffer]: 'ANTI_DEPENDENCE',
};

/** AWS's name of the dependence of a wait; other reasons have no predecessor there. */
export const dependence = (stall: number): string | undefined => DEPENDENCE[stall];
/** Its inverse, for readers. */
export const stallOfDependence = (type: string): number =>
  type === 'ANTI_DEPENDENCE' || type === 'OUTPUT_DEPENDENCE' ? STALL.buffer : STALL.data;

const QUEUE_TYPES = { static: 'data', software_dynamic: 'software_dynamic', hardware_dynamic: 'hardware_dynamic' } as const;

export const queueType = (queue: string): string => QUEUE_TYPES[dmaClass(queue)];

/** Source and destination of a transfer: a tensor's role on the HBM side, SB or PSUM on chip. */
export function memoryWords(p: Profile, transfer: number): { source: string; dest: string } {
  const [from, to] = DIRECTIONS[p.transfers.direction[transfer]].split('->');
  const variable = p.strings[p.transfers.variable[transfer]];
  return { source: memoryWord(p, from, variable), dest: memoryWord(p, to, variable) };
}

function memoryWord(p: Profile, side: string, variable: string): string {
  if (side === 'unknown') return side;
  if (side !== 'hbm') return side === 'sbuf' ? 'SB' : 'PSUM';
  return tensorRoles(p).get(variable) ?? 'DRAM';
}

const roles = new WeakMap<Profile, ReadonlyMap<string, string>>();

/**
 * Roles by name; a tensor with both roles is an input. A map, because a capture may have thousands of tensors, and each transfer needs a
 * look-up.
 */
function tensorRoles(p: Profile): ReadonlyMap<string, string> {
  let known = roles.get(p);
  if (!known) {
    const named = (tensors: Profile['inputs'], role: string) => tensors.map(({ name }): [string, string] => [name, role]);
    known = new Map([...named(p.outputs, 'OUTPUT'), ...named(p.inputs, 'INPUT')]);
    roles.set(p, known);
  }
  return known;
}
