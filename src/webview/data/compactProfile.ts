/**
 * The page's profile. Readers see the received profile; after `compact` it takes a fraction of its memory. A column is then made again
 * when a caller reads all of it, and dropped some time later. Single times, which drawing needs, are read without that. It is exact:
 * every number is unchanged. Only the scheduler's input is left out, because the host runs experiments.
 */
import { CompactColumn } from '../../simulator/columns/compact';
import type { Column } from '../../simulator/columns/container';
import { STEPS_PER_NS } from '../../simulator/profile/clock';
import { PROFILE_COLUMNS } from '../../simulator/profile/codec';
import type { EventTimes } from '../../simulator/profile/lanes';
import { ON_DEMAND, type OnDemand } from '../../simulator/profile/onDemand';
import type { Profile, ProfileDmaSlices } from '../../simulator/profile/profile';
import { OrderedSlices } from './orderedSlices';
import { PackedSlices } from './packedSlices';

/** Slices of a window, without making all. */
type Within = (fromNs: number, toNs: number) => ProfileDmaSlices;
const WITHIN = Symbol('within');

/** All busy intervals of DMA engines that overlap a window, perhaps more. */
export function slicesWithin(slices: ProfileDmaSlices & { [WITHIN]?: Within }, fromNs: number, toNs: number): ProfileDmaSlices {
  return slices[WITHIN]?.(fromNs, toNs) ?? slices;
}

type Group = Exclude<keyof typeof PROFILE_COLUMNS, 'dmaSlices'>;
type GroupColumns = Record<string, CompactColumn>;

/** Times that come after or before another one by few different amounts: durations and waits. */
const BASES: Record<string, string> = { readyNs: 'startNs', endNs: 'startNs', doneNs: 'endNs' };

/** The common value of such a column: no blocker, no FLOPs. */
const common = (type: string) => (type === 'i32' ? -1 : 0);

export class CompactProfile {
  private read: Profile;
  private readonly groups = new Map<Group, GroupColumns>();
  private slices: ProfileDmaSlices | null;
  private packed: PackedSlices | null = null;
  private ordered: OrderedSlices | null = null;

  /** @param onMade is called when a column was made again, to call `release` some time later */
  constructor(
    source: Profile,
    private readonly onMade: () => void = () => {},
  ) {
    this.slices = source.dmaSlices;
    const made: Record<string, object> = { dmaSlices: this.slicesOnDemand() };
    for (const group of Object.keys(PROFILE_COLUMNS) as (keyof typeof PROFILE_COLUMNS)[])
      if (group !== 'dmaSlices') made[group] = this.hold(group, source[group] as unknown as Record<string, Column>);
    this.read = { ...source, ...made, timing: undefined } as Profile;
  }

  /** The profile for readers. */
  get profile(): Profile {
    return this.read;
  }

  /** Takes the busy intervals of DMA engines, which came later. The profile is another object then: what was worked out of the one before is kept by that. */
  complete(slices: ProfileDmaSlices): void {
    this.slices = slices;
    this.packed = null;
    this.ordered = null;
    this.read = { ...this.read };
  }

  /** For drawing: rows of these columns are read one by one. */
  get times(): EventTimes {
    const of = (group: Group) => this.groups.get(group) as GroupColumns & EventTimes['instructions'];
    return { instructions: of('instructions'), transfers: of('transfers') };
  }

  /** Of these, the rows of tracks are made. Profiles that share columns have the same here. */
  get rowColumns(): readonly CompactColumn[] {
    const [instructions, transfers] = [this.groups.get('instructions')!, this.groups.get('transfers')!];
    return [instructions, transfers].flatMap(({ startNs, endNs, readyNs, track }) => [startNs, endNs, readyNs, track]);
  }

  /** Compacts column by column, so that the page can do other work in between. */
  *compact(): Generator<void> {
    for (const [group, columns] of this.groups)
      for (const [name, column] of Object.entries(columns)) {
        const type = (PROFILE_COLUMNS[group] as Record<string, string>)[name];
        column.compact(common(type), name.endsWith('Ns') ? STEPS_PER_NS : 1, columns[BASES[name]]);
        yield;
      }
    const { slices } = this;
    const packed = slices && (yield* PackedSlices.packing(slices));
    // others may have come meanwhile
    if (!slices || this.slices !== slices) return;
    this.packed = packed;
    this.ordered = null;
    this.slices = packed ? null : copied(slices);
  }

  /** Drops the columns that were made again. */
  release(): void {
    for (const columns of this.groups.values()) for (const column of Object.values(columns)) column.release();
    if (this.packed) this.slices = null;
  }

  /** Bytes while no column is made again. */
  get heldBytes(): number {
    const columns = [...this.groups.values()].flatMap(group => Object.values(group));
    const slices = this.packed?.heldBytes ?? Object.values(this.slices ?? {}).reduce((n, column: Column) => n + column.byteLength, 0);
    return columns.reduce((n, column) => n + column.heldBytes, slices);
  }

  private hold(group: Group, source: Record<string, Column>): object {
    const columns: GroupColumns = {};
    const readers: PropertyDescriptorMap = {};
    for (const name of Object.keys(PROFILE_COLUMNS[group])) {
      const column = CompactColumn.of(source[name]);
      columns[name] = column;
      readers[name] = { enumerable: true, get: () => this.valuesOf(column) };
    }
    this.groups.set(group, columns);
    const [first] = Object.values(columns);
    const onDemand: OnDemand = { rows: first.length, at: (column, row) => columns[column].at(row) };
    return Object.defineProperties({}, { ...readers, [ON_DEMAND]: { value: onDemand } });
  }

  private valuesOf(column: CompactColumn): Column {
    if (!column.isMade) this.onMade();
    return column.values;
  }

  private slicesOnDemand(): object {
    const readers: PropertyDescriptorMap = {};
    for (const name of Object.keys(PROFILE_COLUMNS.dmaSlices) as (keyof ProfileDmaSlices)[])
      readers[name] = { enumerable: true, get: () => this.allSlices()[name] };
    const within: Within = (fromNs, toNs) => (this.packed ?? this.inOrder()).within(fromNs, toNs);
    return Object.defineProperties({}, { ...readers, [WITHIN]: { value: within } });
  }

  private inOrder(): OrderedSlices {
    this.ordered ??= new OrderedSlices(this.allSlices());
    return this.ordered;
  }

  private allSlices(): ProfileDmaSlices {
    if (!this.slices) {
      this.slices = this.packed!.unpack();
      this.onMade();
    }
    return this.slices;
  }
}

const copied = (slices: ProfileDmaSlices) =>
  Object.fromEntries(Object.entries(slices).map(([name, column]) => [name, column.slice()])) as unknown as ProfileDmaSlices;
