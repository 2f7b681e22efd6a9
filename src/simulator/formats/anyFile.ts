/** Reads a profile in any one-file format: `.nkiprof`, the JSON of a capture, or an NTFF. The first bytes give the format. */
import { encodeProfile } from '../profile/codec';
import { readCaptureJson } from './capture/legacyJson';
import { looksLikeNtff } from './capture/ntff/container';
import { readNtff } from './capture/ntff/read';
import { unpackNkiprof } from './nkiprof';

/** @param name name of the profile, if the file has none @throws FormatError */
export function profileContainer(file: Uint8Array, name: string): Uint8Array {
  if (looksLikeNtff(file)) return encodeProfile(readNtff(file, { name }));
  const start = new TextDecoder().decode(file.subarray(0, 64)).trimStart();
  return start.startsWith('{') ? encodeProfile(readCaptureJson([file], { name })) : unpackNkiprof(file);
}
