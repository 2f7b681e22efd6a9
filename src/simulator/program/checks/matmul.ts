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
      const [rows, columns] = [facts.freeElements(facts.find(i, stationary)), facts.freeElements(facts.find(i, moving))];
      if (rows > maxStationaryColumns.value)
        throw facts.failAt(i, `matmul: the stationary tile (${stationary}) has ${rows} columns; at most ${maxStationaryColumns.value} fit`);
      if (columns > maxMovingColumns.value)
        throw facts.failAt(i, `matmul: the moving tile (${moving}) has ${columns} columns; at most ${maxMovingColumns.value} fit`);
    },
  };
}
