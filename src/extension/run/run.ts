/** One profiled kernel call as the editor holds it: its profile, and its lines worked out at first need. */
import { decodeProfile, type Line, lines, type Profile } from '../../simulator/index';

export class Run {
  readonly profile: Profile;
  private byFile: Map<string, Map<number, Line>> | undefined;

  /**
   * @param key the same for the next run of the same thing, so that it takes this one's place
   * @param bytes the profile's container; the profile is made of views over it
   * @param askedAtMs `performance.now()` when the user asked for it; undefined for opened profiles
   * @throws FormatError when the bytes are no profile
   */
  constructor(
    readonly key: string,
    readonly bytes: Uint8Array,
    readonly askedAtMs?: number,
  ) {
    this.profile = decodeProfile(bytes);
  }

  get title(): string {
    return `${this.profile.kernel} · ${this.profile.target}`;
  }

  /** Lines of this file that asked for events, by 1-based number. */
  linesOf(file: string): ReadonlyMap<number, Line> {
    this.byFile ??= groupByFile(lines(this.profile));
    return this.byFile.get(file) ?? new Map();
  }

  /** The file's text when the run was made. */
  textOf(file: string): string | undefined {
    return this.profile.files.find(f => f.path === file)?.text;
  }
}

function groupByFile(all: Line[]): Map<string, Map<number, Line>> {
  const files = new Map<string, Map<number, Line>>();
  for (const line of all) {
    const file = files.get(line.file) ?? new Map<number, Line>();
    files.set(line.file, file.set(line.line, line));
  }
  return files;
}
