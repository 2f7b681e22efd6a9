/** One profiled kernel call as the editor holds it: its profile, and its lines worked out at first need. */
import {
  compare,
  decodeProfile,
  type Line,
  type LineChange,
  lines,
  type NameParts,
  namePartsOf,
  nameText,
  type Profile,
  type Range,
  type Warning,
  warnings,
} from '../../simulator/index';
import { type Identity, keyOf } from './identity';

export interface Origin {
  /** Of the case it was run with, for its name. */
  caseName?: string;
  /** Base name of the file that was run, for its name. */
  file?: string;
  /** `performance.now()` when the user asked for it; undefined for opened profiles and live runs. */
  askedAtMs?: number;
  /** It was made by a run of ours, in this window or before: not a file that came from somewhere. */
  isMadeHere?: boolean;
  isSaved?: (files: readonly { path: string }[]) => boolean;
}

export class Run {
  readonly profile: Profile;
  /** Of its identity, as text. */
  readonly key: string;
  /** What its name is made of. */
  readonly name: NameParts;
  readonly askedAtMs: number | undefined;
  readonly isMadeHere: boolean;
  private saved: boolean;
  /** The run that this one is measured against; undefined for a first run. */
  before: Run | undefined;
  private found: Warning[] | undefined;
  private range: Range | undefined;
  private byFile: Map<string, Map<number, Line>> | undefined;
  private changed: { against: Run; byFile: Map<string, Map<number, LineChange>> } | undefined;

  /**
   * @param identity the same for the next run of the same thing, so that it takes this one's place
   * @param bytes the profile's container; the profile is made of views over it
   * @throws FormatError when the bytes are no profile
   */
  constructor(
    readonly identity: Identity,
    readonly bytes: Uint8Array,
    { askedAtMs, caseName, file, isMadeHere = false, isSaved }: Origin = {},
  ) {
    this.key = keyOf(identity);
    this.profile = decodeProfile(bytes);
    this.name = namePartsOf(this.profile, { caseName, file });
    this.askedAtMs = askedAtMs;
    this.isMadeHere = isMadeHere;
    this.saved = isSaved?.(this.profile.files) ?? true;
  }

  /** What ran is, or was, what is on the disk. */
  get isSaved(): boolean {
    return this.saved;
  }

  /** A file of it was saved. @param unchanged with the text that ran */
  markSaved(unchanged: boolean): void {
    this.saved ||= unchanged;
  }

  /** Tells it from others by eye. */
  get title(): string {
    return nameText(this.name);
  }

  /** The kernel's own name: a profile of one core of several says the core as well. */
  get kernel(): string {
    return this.identity.of === 'call' ? this.identity.kernel : this.profile.kernel;
  }

  /** Times of lines are those of this span of the run from now on; undefined: of all of it. */
  limitTo(range: Range | undefined): void {
    this.range = range;
    this.byFile = undefined;
  }

  /** Lines of this file that asked for events, by 1-based number. */
  linesOf(file: string): ReadonlyMap<number, Line> {
    this.byFile ??= groupByFile(lines(this.profile, { range: this.range }));
    return this.byFile.get(file) ?? new Map();
  }

  /** Warnings about this line, the most telling first. */
  warningsOf(file: string, line: number): Warning[] {
    this.found ??= warnings(this.profile);
    return this.found.filter(({ lines: places }) => places.some(place => place.file === file && place.line === line));
  }

  /** How lines of this file changed against `before`, by this run's 1-based number; empty without one. */
  changesOf(file: string): ReadonlyMap<number, LineChange> {
    // Of a part of the run nothing is known to compare it with.
    if (!this.before || this.range) return new Map();
    if (this.changed?.against !== this.before) this.changed = { against: this.before, byFile: changesByFile(this.before, this) };
    return this.changed.byFile.get(file) ?? new Map();
  }

  /** Nothing that the user could tell them apart by. */
  isLike({ profile }: Run): boolean {
    const { target, totalTimeNs, files } = this.profile;
    return (
      target === profile.target &&
      totalTimeNs === profile.totalTimeNs &&
      files.length === profile.files.length &&
      files.every(({ path, sha256 }) => profile.files.some(file => file.path === path && file.sha256 === sha256))
    );
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

function changesByFile(before: Run, after: Run): Map<string, Map<number, LineChange>> {
  const files = new Map<string, Map<number, LineChange>>();
  for (const change of compare(before.profile, after.profile).lines) {
    if (!change.b) continue;
    const { file, line } = change.b;
    files.set(file, (files.get(file) ?? new Map<number, LineChange>()).set(line, change));
  }
  return files;
}
