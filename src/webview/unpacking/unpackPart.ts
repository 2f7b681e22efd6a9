/** A part of a `.nkiprof` file as it stands there, made into what `decodeFirst` and `decodeSlices` read. */
import { FormatError } from '../../simulator/columns/container';
import { fromPlanes } from '../../simulator/columns/planes';

/** @param sizeBytes after inflating: no more than that is @throws FormatError for damaged bytes */
export async function unpackPart(packed: Uint8Array<ArrayBuffer>, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  let filled = 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      if (filled + value!.length > sizeBytes) throw damaged();
      bytes.set(value!, filled);
      filled += value!.length;
    }
  } catch {
    throw damaged();
  }
  if (filled !== sizeBytes) throw damaged();
  return fromPlanes(bytes, 'profile') as Uint8Array<ArrayBuffer>;
}

const damaged = () => new FormatError('the .nkiprof file is damaged: a part does not unpack');
