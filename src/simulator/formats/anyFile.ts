/** The container of a profile in any one-file format that is read: ours, the JSON of a capture, or an NTFF; told apart by the first bytes. */
import { encodeProfile } from '../profile/codec';
import { readCaptureJson } from './capture/legacyJson';
import { looksLikeNtff } from './capture/ntff/container';
import { readNtff } from './capture/ntff/read';
import { unpackNkiprof } from './nkiprof';

/** @param name of the profile, when the file has none of its own. @throws FormatError */
export function profileContainer(file: Uint8Array, name: string): Uint8Array {
  if (looksLikeNtff(file)) return encodeProfile(readNtff(file, { name }));
  const start = new TextDecoder().decode(file.subarray(0, 64)).trimStart();
  return start.startsWith('{') ? encodeProfile(readCaptureJson([file], { name })) : unpackNkiprof(file);
}
