/**
 * The instruction table. The order of its rows is not part of any format, because programs refer to rows by name.
 */

import { machinesForPython } from '../hardware/forPython';
import { activationFunctions } from '../vocabulary/activationFunctions';
import { dtypes } from '../vocabulary/dtypes';
import { aluOps, bitOps, enums, partitionReductions, unaryAluOps } from './functions';
import { collectiveRows } from './rows/collectives';
import { isaRows } from './rows/isa/index';
import { languageRows } from './rows/language/index';
import { registerRows } from './rows/registers';
import type { InstructionRow } from './types';
import { versionsForPython } from './versions';

export const instructionTable: readonly InstructionRow[] = [...isaRows, ...languageRows, ...collectiveRows, ...registerRows];

const byName = new Map(instructionTable.map(row => [row.name, row]));

export function findRow(name: string): InstructionRow | undefined {
  return byName.get(name);
}

/** The data from which the Python front end is generated. The build writes it beside the `nki` package as `table.json`. */
export function tableForPython(): string {
  return JSON.stringify({
    rows: instructionTable,
    dtypes,
    aluOps,
    bitOps,
    unaryAluOps,
    partitionReductions,
    activationFunctions,
    enums,
    ...machinesForPython(),
    ...versionsForPython(),
  });
}
