/**
 * The section `nki_scope` of our JSON: what a profile of ours holds beyond the tables of a capture, so that reading it back
 * loses nothing but fractions of nanoseconds. Checked like any profile when it is read (`build.ts` passes it through the codec).
 */
import type { Profile } from '../../profile/profile';

export const OWN_SECTION = 'nki_scope';

const META = [
  'kernel',
  'dialect',
  'target',
  'pipeline',
  'totalTimeNs',
  'bodyStartNs',
  'bodyEndNs',
  'nclUs',
  'tracks',
  'files',
  'semaphores',
  'inputs',
  'outputs',
  'checks',
  'accuracy',
  'machine',
] as const;

export function ownMeta(p: Profile): Record<string, unknown> {
  const { name, frame, startNs, endNs, ...columns } = p.allocations;
  return {
    ...Object.fromEntries(META.map(key => [key, p[key]])),
    allocations: {
      ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, Array.from(column)])),
      startNs: Array.from(startNs),
      endNs: Array.from(endNs),
      names: Array.from(name, k => p.strings[k]),
    },
  };
}

/** Lays the section over a profile that was built from the events. */
export function withOwnMeta(p: Profile, own: Record<string, unknown>): Profile {
  const meta = Object.fromEntries(META.filter(key => key !== 'files' && key in own).map(key => [key, own[key]]));
  return { ...p, ...meta, files: filesOf(p, own), ...allocationsOf(p, own.allocations) };
}

/** Texts of the files that events name; the order is that of the frames. */
function filesOf(p: Profile, { files }: Record<string, unknown>): Profile['files'] {
  const known = new Map((Array.isArray(files) ? (files as Profile['files']) : []).map(file => [file?.path, file]));
  return p.files.map(file => known.get(file.path) ?? file);
}

function allocationsOf(p: Profile, value: unknown): Pick<Profile, 'allocations' | 'strings'> {
  const given = (value ?? {}) as Record<string, unknown>;
  const numbers = (key: string) => (Array.isArray(given[key]) ? (given[key] as unknown[]).map(Number) : []);
  const names = Array.isArray(given.names) ? given.names.map(String) : [];
  const strings = [...p.strings];
  const index = new Map(strings.map((text, k) => [text, k]));
  const name = Uint32Array.from(names, text => {
    if (!index.has(text)) index.set(text, strings.push(text) - 1);
    return index.get(text)!;
  });
  return {
    strings,
    allocations: {
      startNs: Float64Array.from(numbers('startNs')),
      endNs: Float64Array.from(numbers('endNs')),
      space: Uint8Array.from(numbers('space')),
      addressBytes: Uint32Array.from(numbers('addressBytes')),
      sizeBytes: Uint32Array.from(numbers('sizeBytes')),
      partitionStart: Uint16Array.from(numbers('partitionStart')),
      partitions: Uint16Array.from(numbers('partitions')),
      name,
      frame: new Uint32Array(names.length),
    },
  };
}
