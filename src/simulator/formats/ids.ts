/** Numbers that Neuron's formats give to rows: program counters per engine. Ids themselves are event numbers (`EventId`). */
import type { Profile } from '../profile/profile';

/** Per instruction its index in its engine's stream, both rows of the Tensor engine counted together. */
export function programCounters(p: Profile): Uint32Array {
  const key = (t: Profile['tracks'][number]) => `${t.engine} ${t.core ?? 0}`;
  const engineOf = p.tracks.map(t => p.tracks.findIndex(other => key(other) === key(t)));
  const next = new Uint32Array(p.tracks.length);
  const pc = new Uint32Array(p.instructions.track.length);
  for (let i = 0; i < pc.length; i++) pc[i] = next[engineOf[p.instructions.track[i]]]++;
  return pc;
}
