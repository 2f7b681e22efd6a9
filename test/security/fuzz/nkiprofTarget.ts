/**
 * `.nkiprof` files. Most mutants are containers with changed meta or columns and a right checksum: what damage does not make, and
 * a stranger may. The others are changed bytes.
 */
import { anchorOf } from '../../../src/simulator/analyze/anchors';
import { type Columns, decodeContainer, encodeContainer, FormatError } from '../../../src/simulator/columns/container';
import { decodeNkiprof, packNkiprof } from '../../../src/simulator/formats/nkiprof';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { firstLayout } from '../../support/firstLayout';
import { syntheticProfile } from '../../support/syntheticProfile';
import { mutateBytes, mutateColumn, mutateJson } from './mutations';
import { below, type FuzzTarget, pick, type Random, readOrRefuse } from './target';
import { useProfile } from './useProfile';

/** With all that a profile may have. */
function wholeProfile(): Profile {
  return {
    ...syntheticProfile(12),
    checks: [{ severity: 'warning', message: 'never written', file: '/kernels/tiled.py', line: 9 }],
    recorded: {
      summary: { total_time: 1e-5, instance_type: 'trn2', mfu_estimated_percent: 0.5 },
      profiler: '2.20',
      ids: Array.from({ length: 12 }, (_, i) => `9007199254740993${i}`),
      errors: [{ timeNs: 5, type: 'nan', description: 'a number that is none' }],
    },
    annotations: [{ name: 'here', timeNs: 3.5, series: 1, note: 'why?', anchor: anchorOf(syntheticProfile(12), 2, 40) }],
    rerun: { request: { file: '/kernels/tiled.py', args: [{ n: 4 }] }, call: 0, core: 1 },
  };
}

/** Of both versions that are read. */
const originals = [encodeProfile(wholeProfile()), firstLayout(wholeProfile())];

export const nkiprofTarget: FuzzTarget = next => readOrRefuse(() => useProfile(decodeNkiprof(mutant(next))), [FormatError]);

function mutant(next: Random): Uint8Array {
  const original = pick(next, originals);
  const kind = next();
  if (kind < 0.05) return mutateBytes(packNkiprof(original), next);
  if (kind < 0.2) return packNkiprof(mutateBytes(original, next));
  const container = decodeContainer(original.slice(), 'profile');
  if (kind < 0.6) mutateJson(container.meta as Record<string, unknown>, next);
  else changeColumns(container.columns, next);
  return packNkiprof(encodeContainer(container));
}

function changeColumns(columns: Columns, next: Random) {
  for (let n = 1 + below(next, 2); n > 0; n--) {
    const name = pick(next, Object.keys(columns));
    const column = columns[name];
    if (next() < 0.8) mutateColumn(column, next);
    else if (next() < 0.5) columns[name] = column.slice(0, below(next, column.length + 1)) as typeof column;
    else
      for (const other of Object.keys(columns))
        if (other.split('.')[0] === name.split('.')[0]) columns[other] = columns[other].slice(0, 0) as never;
  }
}
