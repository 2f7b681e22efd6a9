/** Frames and loop iterations of a capture, interned to the profile's columns. */
import { ColumnBuilder } from '../../columns/builder';
import type { Profile } from '../../profile/profile';
import { withCallers } from './frameworkStacks';
import type { MetaTable, OwnTables } from './ownMeta';
import type { CapturedSource } from './rows';

/** Text of a source file, if it exists; called once per file. */
export type SourceText = (path: string) => string | null;

const UNKNOWN = '(no source recorded)';

export class Sources {
  readonly strings: string[] = [];
  private readonly stringIndex = new Map<string, number>();
  private readonly paths: string[] = [];
  private readonly pathIndex = new Map<string, number>();
  private readonly frames = new Map<string, number>();
  private readonly iterations = new Map<string, number>();
  private readonly frameColumns = columns();
  private readonly layers: string[] = [];
  private readonly layerIndex = new Map<string, number>();
  private readonly layerOfFrame: number[] = [];
  private readonly iterationColumns = {
    parent: new ColumnBuilder(Int32Array),
    name: new ColumnBuilder(Uint32Array),
    value: new ColumnBuilder(Int32Array),
    line: new ColumnBuilder(Uint32Array),
  };

  /**
   * @param own tables of our own files, which events of theirs name rows of
   * @param stackOf stack of a frame of the program around a kernel
   */
  constructor(
    own: OwnTables | null = null,
    private readonly stackOf: (frame: string) => CapturedSource['stack'] = () => [],
  ) {
    if (!own) return;
    for (const path of own.paths) intern(this.pathIndex, this.paths, path);
    this.adopt(own.frames, this.frameColumns, 'function');
    this.adopt(own.iterations, this.iterationColumns, 'name');
  }

  private adopt(
    { numbers, names }: MetaTable,
    into: Record<string, ColumnBuilder<Int32Array> | ColumnBuilder<Uint32Array>>,
    nameColumn: string,
  ) {
    for (const [column, builder] of Object.entries(into))
      for (const value of column === nameColumn ? names.map(name => this.string(name)) : numbers(column)) builder.push(value);
  }

  string(text: string): number {
    return intern(this.stringIndex, this.strings, text);
  }

  /** Innermost frame of the row's stack. A row without one has a frame with line 0. */
  frame({ stack: inKernel, own, layer = '', calledFrom }: CapturedSource): number {
    if (own) return own.frame;
    const stack = calledFrom === undefined ? inKernel : withCallers(inKernel, this.stackOf(calledFrom));
    let parent = -1;
    for (const at of stack.length > 0 ? [...stack].reverse() : [{ file: UNKNOWN, line: 0, function: '' }]) {
      const key = `${parent} ${at.line} ${at.function} ${at.file}${layer && `\n${layer}`}`;
      let frame = this.frames.get(key);
      if (frame === undefined) {
        const { parent: parents, file, line, function: name } = this.frameColumns;
        frame = parents.push(parent);
        file.push(intern(this.pathIndex, this.paths, at.file));
        line.push(at.line);
        name.push(this.string(at.function));
        this.layerOfFrame[frame] = layer === '' ? -1 : intern(this.layerIndex, this.layers, layer);
        this.frames.set(key, frame);
      }
      parent = frame;
    }
    return parent;
  }

  iteration({ loops, own }: CapturedSource): number {
    if (own) return own.loop;
    let parent = -1;
    for (const loop of loops) {
      const key = `${parent} ${loop.value} ${loop.name}`;
      let iteration = this.iterations.get(key);
      if (iteration === undefined) {
        iteration = this.iterationColumns.parent.push(parent);
        this.iterationColumns.name.push(this.string(loop.name));
        this.iterationColumns.value.push(loop.value);
        this.iterationColumns.line.push(0);
        this.iterations.set(key, iteration);
      }
      parent = iteration;
    }
    return parent;
  }

  finish(text: SourceText): Pick<Profile, 'frames' | 'iterations' | 'files' | 'strings' | 'layers'> {
    const { parent, file, line, function: name } = this.frameColumns;
    return {
      strings: this.strings,
      files: this.paths.map(path => ({ path, text: text(path) ?? '', sha256: '' })),
      frames: { parent: parent.finish(), file: file.finish(), line: line.finish(), function: name.finish() },
      iterations: {
        parent: this.iterationColumns.parent.finish(),
        name: this.iterationColumns.name.finish(),
        value: this.iterationColumns.value.finish(),
        line: this.iterationColumns.line.finish(),
      },
      ...(this.layers.length > 0 && { layers: { paths: this.layers, ofFrame: this.layerOfFrame } }),
    };
  }
}

function columns() {
  return {
    parent: new ColumnBuilder(Int32Array),
    file: new ColumnBuilder(Uint32Array),
    line: new ColumnBuilder(Uint32Array),
    function: new ColumnBuilder(Uint32Array),
  };
}

function intern(index: Map<string, number>, list: string[], text: string): number {
  let at = index.get(text);
  if (at === undefined) {
    at = list.push(text) - 1;
    index.set(text, at);
  }
  return at;
}
