/**
 * Annotations of runs: kept in the workspace's storage for the next run of the same kernel call, and put into each copy of a profile that
 * leaves the editor. The page finds their events in a run's profile.
 */
import type * as vscode from 'vscode';
import { profileId, withAnnotations } from '../../simulator/index';
import type { ViewState } from '../../webview/protocol/messages';
import type { Run } from '../run/run';

const KEY = 'annotations';
/** Runs whose annotations are kept, those changed last. */
const MOST_RUNS = 200;

interface Entry {
  annotations: unknown[];
  /** Of a profile's file: the id of its content. Another content has its own annotations. */
  content?: string;
}

type Entries = Record<string, Entry>;

export class Annotations {
  constructor(private readonly storage: vscode.Memento) {}

  /** The run's container with the annotations that were made last; without any, its own. */
  containerOf(run: Run): Uint8Array {
    const entry = this.entries[run.key];
    return entry && entry.content === contentOf(run) ? withAnnotations(run.bytes, entry.annotations) : run.bytes;
  }

  keep(run: Run, { settings }: ViewState): void {
    const annotations = settings?.markers;
    if (!Array.isArray(annotations)) return;
    const { [run.key]: known, ...others } = this.entries;
    const isKnown = known && known.content === contentOf(run);
    const before = isKnown ? known.annotations : (run.profile.annotations ?? []);
    if (JSON.stringify(annotations) === JSON.stringify(before)) return;
    const latest = Object.entries(others).slice(-(MOST_RUNS - 1));
    void this.storage.update(KEY, { ...Object.fromEntries(latest), [run.key]: { annotations, content: contentOf(run) } });
  }

  private get entries(): Entries {
    return this.storage.get<Entries>(KEY, {});
  }
}

const contents = new WeakMap<Run, string>();

function contentOf(run: Run): string | undefined {
  if (run.identity.of !== 'file') return undefined;
  const known = contents.get(run) ?? profileId(run.bytes);
  contents.set(run, known);
  return known;
}
