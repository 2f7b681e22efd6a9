/** Reads a profile in any one-file format: `.nkiprof`, the JSON of a capture, or an NTFF. The first bytes give the format. */
import { encodeProfile } from '../profile/codec';
import { readCaptureJson } from './capture/legacyJson';
import { looksLikeNtff } from './capture/ntff/container';
import { readNtff } from './capture/ntff/read';
import { isSystemJson, readSystemJson } from './capture/system/json';
import { looksLikePerfetto, readSystemPerfetto } from './capture/system/perfetto';
import { unpackNkiprof } from './nkiprof';

/** In which a system profile's JSON names a table. */
const SYSTEM_HEAD_BYTES = 1 << 16;

/** @param name name of the profile, if the file has none @throws FormatError */
export function profileContainer(file: Uint8Array, name: string): Uint8Array {
  if (looksLikeNtff(file)) return encodeProfile(readNtff(file, { name }));
  const start = new TextDecoder().decode(file.subarray(0, 64)).trimStart();
  if (looksLikePerfetto(file)) return encodeProfile(readSystemPerfetto(file, { name }));
  if (!start.startsWith('{')) return unpackNkiprof(file);
  return encodeProfile(
    isSystemJson(file.subarray(0, SYSTEM_HEAD_BYTES)) ? readSystemJson([file], { name }) : readCaptureJson([file], { name }),
  );
}
