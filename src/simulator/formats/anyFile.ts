/** The container of a profile in any one-file format that is read: ours, or the JSON of a capture; told apart by the first bytes. */
import { encodeProfile } from '../profile/codec';
import { readCaptureJson } from './capture/legacyJson';
import { unpackNkiprof } from './nkiprof';

/** @param name of the profile, when the file has none of its own. @throws FormatError */
export function profileContainer(file: Uint8Array, name: string): Uint8Array {
  const start = new TextDecoder().decode(file.subarray(0, 64)).trimStart();
  return start.startsWith('{') ? encodeProfile(readCaptureJson([file], { name })) : unpackNkiprof(file);
}
