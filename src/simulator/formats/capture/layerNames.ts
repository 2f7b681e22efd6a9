/**
 * The layer of a captured instruction: the path of the framework's operation and, in it, the operation of XLA's graph (HLO) that it was
 * compiled from. The instruction names them itself, or has the same ids as a row of the tables that do.
 */
import { type FileRow, text } from './values';

/** Ids that instructions and operations of a level have in common, the surer one first. */
const FRAMEWORK_KEYS = ['raw_framework_id', 'raw_bir_id'];
const HLO_KEYS = ['raw_hlo_id', 'raw_bir_id'];

/** What the profiler writes where it does not know. */
const UNKNOWN = 'Unknown';

export class LayerNames {
  private readonly framework: Names;
  private readonly hlo: Names;

  constructor(framework: readonly FileRow[] = [], hlo: readonly FileRow[] = []) {
    this.framework = namesOf(framework, 'framework_name', FRAMEWORK_KEYS);
    this.hlo = namesOf(hlo, 'hlo_name', HLO_KEYS);
  }

  /** Path; empty: none is known. */
  of(instruction: FileRow): string {
    const layer = known(text(instruction, 'layer')) || found(this.framework, instruction);
    const operation = known(text(instruction, 'hlo_name')) || found(this.hlo, instruction);
    return [layer, operation].filter(name => name !== '').join('/');
  }
}

type Names = readonly (readonly [field: string, ofId: ReadonlyMap<string, string>])[];

const known = (name: string) => (name === UNKNOWN ? '' : name);

function namesOf(rows: readonly FileRow[], name: string, keys: readonly string[]): Names {
  const named = rows.filter(row => known(text(row, name)) !== '');
  return keys.map(key => [key, new Map(named.filter(row => text(row, key) !== '').map(row => [text(row, key), text(row, name)]))]);
}

function found(names: Names, instruction: FileRow): string {
  for (const [field, ofId] of names) {
    const name = ofId.get(text(instruction, field));
    if (name) return name;
  }
  return '';
}
