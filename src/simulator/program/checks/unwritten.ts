/**
 * Reads of on-chip or HBM memory that the kernel has not written before: the hardware reads values of an earlier kernel
 * (aws-neuron-sdk nki/guides/nki_simulator.rst "Uninitialized Memory Detection"). In the legacy dialect a tile counts as written if a
 * part of it is written: masks on loads leave parts undefined, and kernels compute on these parts without storing them.
 */
import { readsFewPartitions } from '../../isa/constraints';
import { scaleOperands, scalePartition } from '../../isa/scales';
import { TENSOR_KINDS } from '../program';
import { BoxText } from './boxText';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';
import type { WrittenElements } from './written';

const GIVEN = [TENSOR_KINDS.indexOf('input'), TENSOR_KINDS.indexOf('constant')];

export function unwritten(checked: CheckedProgram, warnings: Warnings, written: WrittenElements): CheckRule {
  const { p } = checked;
  const { instructions, operands } = p;
  const lastUse = lastUses(checked);
  const reads = readers(checked);
  /** Allocations that were reported. Only the first read is reported, because later ones would repeat it. */
  const reported = new Set<number>();

  const fewPartitions = p.operations.map(name => readsFewPartitions.includes(name));
  const masks = p.dialect === 'neuronxcc';

  const check = (i: number, o: number) => {
    const tensor = operands.tensor[o];
    const inPart = masks || fewPartitions[instructions.operation[i]] || !checked.isPlain(i, o);
    const scales = scalesRead(checked, i, o);
    if (inPart ? !written.nothing(tensor) : written.covers(o, scales)) return;
    const allocation = p.tensors.frame[tensor];
    if (reported.has(allocation)) return;
    reported.add(allocation);
    const verb = checked.operand(i, o).rule.role === 'inout' ? 'accumulates into' : 'reads';
    warnings.add(
      instructions.frame[i],
      `${checked.row(i).name} ${verb} ${missing(o, tensor, scales)}, which nothing has written before ` +
        `(${checked.name(tensor)} is allocated on line ${checked.allocationLine(tensor)})`,
    );
  };

  /** An access by indices or as another dtype counts as an access of the whole tensor. */
  const write = (i: number, o: number) => {
    if (checked.isPlain(i, o)) written.write(o);
    else written.writeAll(operands.tensor[o]);
  };

  const missing = (o: number, tensor: number, partitions?: ReadonlySet<number>): string => {
    if (written.nothing(tensor)) return checked.name(tensor);
    const box = new BoxText(checked, tensor);
    written.eachMissing(o, box.add, partitions);
    return box.text();
  };

  return {
    tensor(t) {
      if (GIVEN.includes(p.tensors.kind[t])) written.writeAll(t);
    },
    instruction(i) {
      const [from, to] = [instructions.operandStart[i], instructions.operandStart[i + 1]];
      for (let o = from; o < to; o++) if (reads(i, o)) check(i, o);
      for (let o = from; o < to; o++) if (writes(checked, i, o)) write(i, o);
      for (let o = from; o < to; o++) if (lastUse[operands.tensor[o]] === i) written.forget(operands.tensor[o]);
    },
  };
}

const writes = (checked: CheckedProgram, i: number, o: number) => {
  const { role } = checked.operand(i, o).rule;
  return role === 'out' || role === 'inout';
};

/** For an operand with scales: the partitions of its tensor that have a scale. Undefined for other operands. */
function scalesRead(checked: CheckedProgram, i: number, o: number): ReadonlySet<number> | undefined {
  const of = scaleOperands[checked.row(i).name]?.[checked.operand(i, o).name];
  if (of === undefined) return undefined;
  const { operands } = checked.p;
  const first = Math.floor(operands.offset[o] / checked.perPartition[operands.tensor[o]]);
  const count = checked.partitions(checked.find(i, of));
  return new Set(Array.from({ length: count }, (_, partition) => first + scalePartition(partition, checked.machine)));
}

/** Whether an instruction reads an operand: inputs, and destinations whose old values it uses. */
function readers(checked: CheckedProgram): (i: number, o: number) => boolean {
  const accumulators = checked.rows.map(row => row !== undefined && Object.hasOwn(row.attributes, 'accumulate'));
  return (i, o) => {
    const { rule, name } = checked.operand(i, o);
    if (rule.role === 'in' || rule.role === 'scalar') return true;
    if (name === 'dst' && typeof checked.attribute(i, 'dst_rmw_op') === 'string') return true;
    if (rule.role !== 'inout') return false;
    // The first write of a matmul overwrites, unless `accumulate` is set.
    return !accumulators[checked.p.instructions.operation[i]] || checked.attribute(i, 'accumulate') === true;
  };
}

/** By tensor: the instruction that accesses it last; -1: none, or an output, which is checked at the end. */
function lastUses({ p, elements }: CheckedProgram): Int32Array {
  const last = new Int32Array(elements.length).fill(-1);
  const { operandStart, operation } = p.instructions;
  for (let i = 0; i < operation.length; i++) for (let o = operandStart[i]; o < operandStart[i + 1]; o++) last[p.operands.tensor[o]] = i;
  for (const { tensor } of p.outputs) last[tensor] = -1;
  return last;
}
