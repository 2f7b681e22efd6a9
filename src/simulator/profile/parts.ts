/**
 * A profile's container in two parts, for a page that draws the rows first. The first one has all columns but the busy intervals of DMA
 * engines, which are most of its bytes, and the scheduler's input, which no page reads. The second one has those intervals. For messages
 * between our own programs, not for files.
 */
import { type Columns, decodeContainer, encodeContainer } from '../columns/container';
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

/** Whether there is no second part. Reads the head alone. @throws FormatError */
export const isWhole = (bytes: Uint8Array): boolean => hasSlices(decodeContainer(bytes, 'profile').columns);

const hasSlices = (columns: Columns) => Object.keys(columns).some(isSliceColumn);

/** Of a first part, or of a whole container. `isWhole`: there is no second part; else it has no busy intervals of DMA engines. @throws FormatError */
export function decodeFirst(bytes: Uint8Array): { profile: Profile; isWhole: boolean } {
  const container = decodeContainer(bytes, 'profile');
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
