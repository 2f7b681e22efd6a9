/** Limits of the PE array on the operands that become its stationary and its moving tile. */
import { dtype, dtypes } from '../../vocabulary/dtypes';
import type { CheckedProgram, CheckRule } from './checkedProgram';

/** Operand names by lowering. */
const TILES: Readonly<Record<string, { stationary: string; moving: string }>> = {
  matmul: { stationary: 'stationary', moving: 'moving' },
  matmul2d: { stationary: 'x', moving: 'y' },
};

const WIDEST_BYTES = dtype('float32').sizeBytes;

export function matmul(checked: CheckedProgram): CheckRule {
  const { maxStationaryColumns, maxMovingColumns, psumBankBytes } = checked.machine;
  // If a product may cover all of PSUM, twice as many columns of half the size fit.
  const coversBanks = maxMovingColumns.value * WIDEST_BYTES > psumBankBytes.value;
  const mostColumns = (dst: number) =>
    maxMovingColumns.value * (coversBanks ? WIDEST_BYTES / dtypes[checked.p.operands.dtype[dst]].sizeBytes : 1);
  const tilesOf = checked.rows.map(row => TILES[row?.lower ?? '']);
  return {
    instruction(i) {
      const tiles = tilesOf[checked.p.instructions.operation[i]];
      if (!tiles) return;
      const { stationary, moving } = tiles;
      // double_row: two rows of the contraction are side by side
      const side = checked.attribute(i, 'perf_mode') === 'double_row' ? 2 : 1;
      const [rows, columns] = [stationary, moving].map(name => checked.freeElements(checked.find(i, name)) / side);
      if (rows > maxStationaryColumns.value)
        throw checked.failAt(
          i,
          `matmul: the stationary tile (${stationary}) has ${rows} columns; at most ${maxStationaryColumns.value} fit`,
        );
      const most = mostColumns(checked.find(i, 'dst'));
      if (columns > most) throw checked.failAt(i, `matmul: the moving tile (${moving}) has ${columns} columns; at most ${most} fit`);
    },
  };
}
