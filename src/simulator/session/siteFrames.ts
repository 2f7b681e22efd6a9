/** Call sites of a script as the frames of a profile: each call stack once, with its layer, and the files that they lie in. */
import type { CallSite } from '../frontend/protocol';
import type { Profile } from '../profile/profile';
import type { SourceFile } from '../program/program';

/** A place in the script, without the texts of its files. */
export type LoggedSite = Pick<CallSite, 'frames' | 'layer'>;

/** A call from no file of the user's. */
const UNKNOWN = { file: '', line: 0, function: '' };

export class SiteFrames {
  private readonly rows = new Map<string, number>();
  private readonly columns = { parent: [] as number[], file: [] as number[], line: [] as number[], function: [] as number[] };
  private readonly paths: string[] = [];
  private readonly names: string[] = [];
  private readonly layers: string[] = [];
  private readonly ofFrame: number[] = [];

  /** Row of its innermost frame. */
  of({ frames, layer }: LoggedSite): number {
    let row = -1;
    for (const frame of frames.length > 0 ? frames : [UNKNOWN]) row = this.row(row, frame, layer);
    return row;
  }

  /** @param texts by path */
  finish(texts: ReadonlyMap<string, SourceFile>): Pick<Profile, 'frames' | 'files' | 'strings' | 'layers'> {
    const { parent, file, line, function: names } = this.columns;
    return {
      frames: {
        parent: Int32Array.from(parent),
        file: Uint32Array.from(file),
        line: Uint32Array.from(line),
        function: Uint32Array.from(names),
      },
      files: this.paths.map(path => texts.get(path) ?? { path, text: '', sha256: '' }),
      strings: this.names,
      ...(this.layers.length > 0 && { layers: { paths: this.layers, ofFrame: this.ofFrame } }),
    };
  }

  private row(parent: number, frame: LoggedSite['frames'][number], layer: string): number {
    const key = JSON.stringify([parent, frame.file, frame.line, frame.function, layer]);
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const { columns } = this;
    columns.parent.push(parent);
    columns.file.push(indexIn(this.paths, frame.file));
    columns.line.push(frame.line);
    columns.function.push(indexIn(this.names, frame.function));
    this.ofFrame.push(layer === '' ? -1 : indexIn(this.layers, layer));
    this.rows.set(key, columns.parent.length - 1);
    return columns.parent.length - 1;
  }
}

/** Of a text in a list that it is added to when it is not there; scripts have few of them. */
function indexIn(list: string[], text: string): number {
  const known = list.indexOf(text);
  return known >= 0 ? known : list.push(text) - 1;
}
