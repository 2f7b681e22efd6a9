/**
 * A profile's container in parts, for a page that draws the rows first. The first one has all columns but the busy intervals of DMA
 * engines, which are most of its bytes, and the scheduler's input, which no page reads. The second one has those intervals, the third one,
 * which only files have, that input.
 */
import { type Columns, type Container, containerHead, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import { emptyGroup, flattenGroups, readGroups } from '../columns/groups';
import { checkSlices, PROFILE_COLUMNS, profileOf } from './codec';
import type { Profile, ProfileDmaSlices } from './profile';
import { isTimingColumn } from './timing';

const SLICES = { dmaSlices: PROFILE_COLUMNS.dmaSlices } as const;

const isSliceColumn = (name: string) => name.startsWith('dmaSlices.');

/** Smaller ones take no time that anybody notices. */
const LEAST_BYTES = 4e6;

/** @returns a container that `decodeFirst` reads: a small one as it is, without intervals a whole one @throws FormatError */
export function firstPart(container: Uint8Array, leastBytes = LEAST_BYTES): Uint8Array {
  if (container.length < leastBytes) return container;
  const { version, meta, columns } = decodeContainer(container, 'profile');
  const apart = columns['dmaSlices.transfer']?.length > 0;
  const rest = only(columns, name => !isTimingColumn(name) && !(apart && isSliceColumn(name)));
  return encodeContainer({ kind: 'profile', version, meta, columns: rest });
}

/** @returns a container that `decodeSlices` reads @throws FormatError */
export function slicesPart(container: Uint8Array): Uint8Array {
  const { version, columns } = decodeContainer(container, 'profile');
  return encodeContainer({ kind: 'profile', version, meta: {}, columns: only(columns, isSliceColumn) });
}

/** Parts of a file by their position. */
export const PARTS = ['first', 'slices', 'timing'] as const;
export type PartName = (typeof PARTS)[number];

/**
 * The parts of which `joinedParts` makes the same container, byte for byte; null where they would not.
 * @returns by position in `PARTS`, empty where there is none: a small container is its first part
 */
export function partsOf(container: Uint8Array, leastBytes = LEAST_BYTES): Uint8Array[] | null {
  const read = decodedOrNull(container);
  if (!read) return null;
  const head = containerHead(read);
  if (head.some((byte, i) => container[i] !== byte)) return null;
  const names = Object.keys(read.columns);
  const parts = names.map(name => (isSliceColumn(name) ? 1 : isTimingColumn(name) ? 2 : 0));
  if (container.length < leastBytes || parts.every(part => part === 0)) return [container, NO_BYTES, NO_BYTES];
  return PARTS.map((_, part) => {
    const columns = only(read.columns, name => parts[names.indexOf(name)] === part);
    const places = parts.flatMap((of, place) => (of === part ? [place] : []));
    if (places.length === 0) return NO_BYTES;
    return encodeContainer({ ...read, meta: part === 0 ? read.meta : { places }, columns });
  });
}

/** @param parts as `partsOf` makes them @throws FormatError unless they fit one another */
export function joinedParts([first, ...others]: readonly Uint8Array[]): Uint8Array {
  if (others.every(({ length }) => length === 0)) return first;
  const { version, meta, columns } = decodeContainer(first, 'profile');
  const own = Object.entries(columns);
  const placed = new Map<number, [string, Columns[string]]>();
  for (const part of others) {
    if (part.length === 0) continue;
    const read = decodeContainer(part, 'profile');
    const places: unknown = (read.meta as { places?: unknown } | null)?.places;
    for (const [i, column] of Object.entries(read.columns).entries()) {
      const place = Array.isArray(places) ? places[i] : undefined;
      if (!Number.isInteger(place)) throw new FormatError('the profile file is damaged: its parts do not fit');
      placed.set(place, column);
    }
  }
  const all = Array.from({ length: own.length + placed.size }, (_, place) => placed.get(place) ?? own.shift());
  if (all.some(column => !column)) throw new FormatError('the profile file is damaged: its parts do not fit');
  return encodeContainer({ kind: 'profile', version, meta, columns: Object.fromEntries(all as [string, Columns[string]][]) });
}

const NO_BYTES = new Uint8Array(0);

function decodedOrNull(container: Uint8Array) {
  try {
    return decodeContainer(container, 'profile');
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Whether there is no second part. Reads the head alone. @throws FormatError */
export const isWhole = (bytes: Uint8Array): boolean => hasSlices(decodeContainer(bytes, 'profile').columns);

const hasSlices = (columns: Columns) => Object.keys(columns).some(isSliceColumn);

/** Of a first part, or of a whole container, decoded or not. `isWhole`: there is no second part; else it has no busy intervals of DMA engines. @throws FormatError */
export function decodeFirst(sent: Uint8Array | Omit<Container, 'kind'>): { profile: Profile; isWhole: boolean } {
  const container = sent instanceof Uint8Array ? decodeContainer(sent, 'profile') : sent;
  const none = flattenGroups(SLICES, { dmaSlices: emptyGroup(SLICES.dmaSlices) });
  const whole = hasSlices(container.columns);
  return { profile: profileOf(whole ? container : { ...container, columns: { ...container.columns, ...none } }), isWhole: whole };
}

/** @param profile of the first part @throws FormatError unless they fit it */
export function decodeSlices(bytes: Uint8Array, { transfers }: Profile): ProfileDmaSlices {
  const { dmaSlices } = readGroups(SLICES, decodeContainer(bytes, 'profile').columns, 'profile');
  const slices = dmaSlices as unknown as ProfileDmaSlices;
  checkSlices(slices, transfers.startNs.length);
  return slices;
}

const only = (columns: Columns, test: (name: string) => boolean): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => test(name)));
