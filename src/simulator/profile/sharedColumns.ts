/**
 * First parts of profiles on one page, without the columns that others of them have, byte for byte: ranks of a run have the same program,
 * and often the same times. Such a part names, for each column that it lacks, the profile to take it from.
 */
import { type Column, type Columns, type Container, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import { asPlanes, planesIn } from '../columns/planes';

/** Name of a column -> id of the profile that has the same one. */
export type SharedFrom = Readonly<Record<string, string>>;

/** What stands in the meta of such a part. */
interface SharedMeta {
  meta: unknown;
  sharedFrom: SharedFrom;
}

/** A first part whose columns are still filtered (`columns/planes.ts`): equal ones are equal bytes. */
export type FilteredPart = Container;

/** @param inflated a first part as it stands in a file, inflated @throws FormatError */
export const filteredPart = (inflated: Uint8Array): FilteredPart => planesIn(inflated, 'profile');

/** @param part of `filteredPart` @returns it without these columns, filtered */
export function withoutShared({ kind, version, meta, columns }: FilteredPart, sharedFrom: SharedFrom): Uint8Array {
  const own = Object.fromEntries(Object.entries(columns).filter(([name]) => !Object.hasOwn(sharedFrom, name)));
  return asPlanes(encodeContainer({ kind, version, meta: { meta, sharedFrom } satisfies SharedMeta, columns: own }));
}

/**
 * The whole first part. Columns of others are the same arrays.
 * @param bytes of `withoutShared`, no longer filtered @param columnsOf the columns of another profile's first part; undefined: not known
 * @throws FormatError
 */
export async function withShared(bytes: Uint8Array, columnsOf: (id: string) => Promise<Columns> | undefined): Promise<Container> {
  const { kind, version, meta, columns } = decodeContainer(bytes, 'profile');
  const { meta: own, sharedFrom } = (meta ?? {}) as Partial<SharedMeta>;
  const all = { ...columns };
  for (const [name, id] of Object.entries(sharedFrom ?? {})) {
    const column: Column | undefined = (await columnsOf(id))?.[name];
    if (!column) throw new FormatError(`the profile's column ${String(name)} is that of a profile that is not here`);
    all[name] = column;
  }
  return { kind, version, meta: own, columns: all };
}
