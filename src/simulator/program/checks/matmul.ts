/** Limits of the PE array on the operands that become its stationary and its moving tile. */
import type { Facts, Rule } from './facts';

/** Operand names by lowering. */
const TILES: Readonly<Record<string, { stationary: string; moving: string }>> = {
  matmul: { stationary: 'stationary', moving: 'moving' },
  matmul2d: { stationary: 'x', moving: 'y' },
};

export function matmul(facts: Facts): Rule {
  const { maxStationaryColumns, maxMovingColumns } = facts.machine;
  const tilesOf = facts.rows.map(row => TILES[row?.lower ?? '']);
  return {
    instruction(i) {
      const tiles = tilesOf[facts.p.instructions.operation[i]];
      if (!tiles) return;
      const { stationary, moving } = tiles;
      // double_row: two rows of the contraction stand side by side
      const side = facts.attribute(i, 'perf_mode') === 'double_row' ? 2 : 1;
      const [rows, columns] = [stationary, moving].map(name => facts.freeElements(facts.find(i, name)) / side);
      if (rows > maxStationaryColumns.value)
        throw facts.failAt(i, `matmul: the stationary tile (${stationary}) has ${rows} columns; at most ${maxStationaryColumns.value} fit`);
      if (columns > maxMovingColumns.value)
        throw facts.failAt(i, `matmul: the moving tile (${moving}) has ${columns} columns; at most ${maxMovingColumns.value} fit`);
    },
  };
}
