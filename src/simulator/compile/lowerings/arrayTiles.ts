/**
 * Tiles of the PE array (`tile_position`, `tile_size` of nki.isa.nc_matmul): products in different tiles run at the same time. Each product is
 * given its part of the array's time, by how many others came since the last one in its tile: one of four tiles in turn takes a quarter.
 * Source: nki.isa.nc_matmul, "Tiling mode".
 */
import type { CompileContext } from '../context';

/** Tiles of 32 rows and 32 columns, the smallest. More products before than these do not matter. */
const MOST_TILES = 16;

/** The part of the array's time that a product takes: 1 without tiles. */
export function arrayShare(c: CompileContext): number {
  const [position, size] = [c.attribute('tile_position'), c.attribute('tile_size')];
  const recent = c.state.arrayTiles;
  if (!c.machine.tensor.tilesAtOnce.value || !Array.isArray(position) || !Array.isArray(size) || size.length !== 2) {
    recent.length = 0;
    return 1;
  }
  const side = c.machine.partitions.value;
  const tiles = Math.min(
    MOST_TILES,
    size.reduce((product: number, extent) => product * Math.max(1, Math.floor(side / Number(extent))), 1),
  );
  const place = `${size} ${position}`;
  const others = recent.length - 1 - recent.lastIndexOf(place);
  recent.push(place);
  if (recent.length > MOST_TILES) recent.shift();
  return 1 / Math.min(tiles, others + 1);
}
