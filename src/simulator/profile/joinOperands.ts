/** Joins the operand tables of several cores into one with each distinct row once, and gives the new index of each core's lists. */
import { countsOf, NO_DTYPE, type OperandTable, OperandTableBuilder, operandsOf, stepsOf, templateOf } from '../compile/operands/table';

/** @param strings for each core: the indices of its texts in the joined profile's `strings` */
export function joinOperands(tables: readonly OperandTable[], strings: readonly Uint32Array[]): { table: OperandTable; at: Uint32Array[] } {
  const builder = new OperandTableBuilder();
  const at = tables.map((table, core) => {
    const word = (index: number) => (index < 0 ? index : builder.word(table.operandWords[index]));
    const { name, dtype, space, addressBytes, tensor } = table.operands;
    const operands = Uint32Array.from(name, (_, row) =>
      builder.operand({
        name: word(name[row]),
        dtype: dtype[row] === NO_DTYPE ? NO_DTYPE : word(dtype[row]),
        space: space[row],
        addressBytes: addressBytes[row],
        pattern: builder.pattern([...stepsOf(table, row)], [...countsOf(table, row)]),
        tensor: tensor[row] < 0 ? tensor[row] : strings[core][tensor[row]],
      }),
    );
    const { template, channels } = table.operandLists;
    return Uint32Array.from(template, (_, list) =>
      builder.list(
        Array.from(templateOf(table, template[list]), word),
        Array.from(operandsOf(table, list), row => operands[row]),
        channels[list],
      ),
    );
  });
  return { table: builder.finish(), at };
}
