/**
 * Which function table ScalarE needs for an activation: functions of one table share it, and changing it costs an ACT_TABLE_LOAD. The
 * machine says which functions each table has.
 */
import type { Machine } from './machine';

type Tables = Machine['activationTables'];

const byFunction = new WeakMap<Tables, ReadonlyMap<string, string>>();

/** Name of the table, or empty when none is needed (copy, square, abs, sign, relu). */
export function activationTable({ activationTables }: Pick<Machine, 'activationTables'>, name: string): string {
  let tables = byFunction.get(activationTables);
  if (!tables) {
    tables = new Map(Object.entries(activationTables.value).flatMap(([table, functions]) => functions.map(f => [f as string, table])));
    byFunction.set(activationTables, tables);
  }
  return tables.get(name) ?? '';
}
