/**
 * Records of an NTFF: 16 bytes each, u16, u16 code, u32 payload and u64 time in picoseconds. Times come as differences to one base for the whole
 * file: those of a device that has been up for days exceed what float64 holds exactly. Pairs of records that mean start and end are joined
 * first in, first out. `instructions.ts` and `dma.ts` interpret the codes.
 */
export const RECORD_BYTES = 16;

export interface NtffRecord {
  low: number;
  code: number;
  payload: number;
  /** Since the clock's base. */
  timePs: number;
}

/** Upper half of the time that counts as 0. */
export type ClockBase = number;

/** The time of the first record. Any base works if it is the same for all. */
export function clockBase({ graphs }: { graphs: readonly { sections: ReadonlyMap<number, Uint8Array[]> }[] }): ClockBase {
  const first = graphs.flatMap(({ sections }) => [...sections.values()].flat()).find(section => section.length > 0);
  return first ? new DataView(first.buffer, first.byteOffset).getUint32(12, true) : 0;
}

/** One object is reused for all records: copy its fields. */
export function* recordsOf(sections: readonly Uint8Array[], base: ClockBase): Generator<Readonly<NtffRecord>> {
  const record: NtffRecord = { low: 0, code: 0, payload: 0, timePs: 0 };
  for (const section of sections) {
    const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
    for (let at = 0; at < section.length; at += RECORD_BYTES) {
      record.low = view.getUint16(at, true);
      record.code = view.getUint16(at + 2, true);
      record.payload = view.getUint32(at + 4, true);
      record.timePs = (view.getUint32(at + 12, true) - base) * 2 ** 32 + view.getUint32(at + 8, true);
      yield record;
    }
  }
}

/** First in, first out, by key. */
export class KeyedQueue<T> {
  private readonly lines = new Map<number, { items: T[]; next: number }>();

  push(key: number, item: T): void {
    const line = this.lines.get(key);
    if (line) line.items.push(item);
    else this.lines.set(key, { items: [item], next: 0 });
  }

  take(key: number): T | undefined {
    const line = this.lines.get(key);
    if (!line || line.next >= line.items.length) return undefined;
    const item = line.items[line.next++];
    if (line.next === line.items.length) this.lines.delete(key);
    return item;
  }
}
