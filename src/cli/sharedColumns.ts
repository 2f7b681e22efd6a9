/** First parts for a page that has other profiles already: without the columns that those have, too. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import {
  DEFLATE_LEVEL,
  type FilteredPart,
  FormatError,
  filteredPart,
  type PackedPart,
  type SharedFrom,
  withoutShared,
} from '../simulator/index';
import { InputError, UsageError } from './errors';
import type { Shelf, ShelvedProfile } from './profileShelf';

const inflate = promisify(inflateRaw) as (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
const deflate = promisify(deflateRaw) as (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array>;

/** Inflated, all parts of a page: they may be in memory at once. Further ones are sent as they stand. */
const MOST_BYTES = 2 ** 29;
/** Of a part's bytes: where less is shared, packing the rest anew takes longer than sending all as it stands in the file. */
const LEAST_SHARE = 0.25;

/** Name of a column -> digest of its bytes. */
type Digests = ReadonlyMap<string, string>;
const NONE: Digests = new Map();

export class SharedColumns {
  /** By the profile's id, which is the hash of its content. */
  private readonly known = new Map<string, Promise<Digests>>();
  /** By the same id: bytes of the part when it is inflated. */
  private readonly sizes = new Map<string, number>();

  constructor(
    private readonly shelf: Pick<Shelf, 'packedPart'>,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /**
   * @param others in the order in which their columns are looked for
   * @returns the first part of `of`, packed as in a file; null where it cannot be read here, or little is shared
   */
  async firstPart(of: ShelvedProfile, others: readonly ShelvedProfile[]): Promise<PackedPart | null> {
    if ([of, ...others].reduce((bytes, profile) => bytes + this.sizeBytes(profile), 0) > this.mostBytes) return null;
    const part = this.filtered(of);
    const own = this.digests(of, part);
    const theirs = await Promise.all(others.map(async other => ({ id: other.id, digests: await this.digests(other) })));
    const whole = await part;
    const sharedFrom = sharedWith(await own, theirs);
    if (!whole || sharedBytes(whole, sharedFrom) < LEAST_SHARE * allBytes(whole)) return null;
    const rest = withoutShared(whole, sharedFrom);
    return { packed: await deflate(rest, { level: DEFLATE_LEVEL }), sizeBytes: rest.length };
  }

  /** Known from the moment on when they are asked for: a page asks for all its profiles at once. */
  private digests(of: ShelvedProfile, part?: Promise<FilteredPart | null>): Promise<Digests> {
    const known = this.known.get(of.id) ?? (part ?? this.filtered(of)).then(whole => (whole ? digestsOf(whole) : NONE));
    this.known.set(of.id, known);
    return known;
  }

  /** 0: not of a file with parts, or damaged. */
  private sizeBytes(of: ShelvedProfile): number {
    const known = this.sizes.get(of.id);
    if (known !== undefined) return known;
    let sizeBytes = 0;
    try {
      sizeBytes = this.shelf.packedPart(of, 'first')?.sizeBytes ?? 0;
    } catch (error) {
      if (!isOfFile(error)) throw error;
    }
    this.sizes.set(of.id, sizeBytes);
    return sizeBytes;
  }

  /** null: not of a file with parts, or damaged, which the page says. */
  private async filtered(of: ShelvedProfile): Promise<FilteredPart | null> {
    try {
      const part = this.shelf.packedPart(of, 'first');
      if (!part) return null;
      return filteredPart(await inflate(part.packed, { maxOutputLength: Math.max(1, part.sizeBytes) }));
    } catch (error) {
      if (isOfFile(error)) return null;
      throw error;
    }
  }
}

/** Of a file that is damaged, or gone. */
const isOfFile = (error: unknown) =>
  [FormatError, InputError, UsageError].some(kind => error instanceof kind) || (error as { code?: string }).code !== undefined;

function digestsOf({ columns }: FilteredPart): Digests {
  const there = Object.entries(columns).filter(([, { length }]) => length > 0);
  return new Map(
    there.map(([name, column]) => {
      const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
      return [name, `${column.constructor.name} ${createHash('sha256').update(bytes).digest('base64')}`];
    }),
  );
}

const allBytes = ({ columns }: FilteredPart) => Object.values(columns).reduce((bytes, { byteLength }) => bytes + byteLength, 0);
const sharedBytes = ({ columns }: FilteredPart, from: SharedFrom) =>
  Object.keys(from).reduce((bytes, name) => bytes + columns[name].byteLength, 0);

/** A profile that takes a column from another one takes it from the first that has it, which sends it itself. */
function sharedWith(own: Digests, others: readonly { id: string; digests: Digests }[]): SharedFrom {
  const found = [...own].flatMap(([name, digest]) => {
    const other = others.find(({ digests }) => digests.get(name) === digest);
    return other ? [[name, other.id]] : [];
  });
  return Object.fromEntries(found);
}
