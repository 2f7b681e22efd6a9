/**
 * From recorded instructions to costs in our hardware tables: which rule an engine's opcode follows, and its operands.
 * Opcodes that only keep order (drains, barriers, notifications) have no cost of their own and are left out.
 */
import { activationTable } from '../hardware/activationTables';
import { addCost, type Cost, type CostModel, type MatmulWidth } from '../hardware/costModel';
import type { CostRuleName } from '../hardware/machine';
import { costOperands, isLongStride, type WalkedOperand } from '../hardware/operands';
import type { Engine } from '../vocabulary/engines';
import { accessesMemory, isOnRegisters } from '../vocabulary/registerOpcodes';
import { activationName, type RecordedOperands, type Tile, wordValue } from './operands';

/** Opcode -> rule on VectorE. */
const VECTOR_RULES: Readonly<Record<string, CostRuleName>> = {
  COPY: 'vectorCopy',
  CAST: 'vectorCopy',
  MEMSET: 'vectorCopy',
  TENSOR_REDUCE: 'vectorReduce',
  TENSOR_SCALAR: 'vectorTensorScalar',
  TENSOR_TENSOR: 'vectorTensorTensor',
  SCALAR_TENSOR_TENSOR: 'vectorScalarTensorTensor',
  RECIPROCAL: 'vectorReciprocal',
  TRANSPOSE: 'vectorTranspose',
};

const SCALAR_COPIES = ['COPY', 'CAST', 'TENSOR_SCALAR'];
const MATRIX_OPCODES = ['MATMUL', 'LDWEIGHTS'];

/** @returns false when the opcode is none that the tables cost. */
export function costOf(costs: CostModel, engine: Engine, opcode: string, operands: RecordedOperands, out: Cost): boolean {
  if (opcode === 'EVENT_SEMAPHORE') {
    const { issueNs, durationNs } = costs.machine.semaphoreInstruction;
    out.issueNs = issueNs.value;
    out.durationNs = durationNs.value;
    return true;
  }
  if (opcode === 'ACT_TABLE_LOAD') {
    out.issueNs = costs.machine.minIssueCycles.value / costs.machine.clockGhz.Scalar.value;
    out.durationNs = costs.machine.activationTableLoadNs.value;
    return true;
  }
  if (isOnRegisters(opcode)) {
    const { memoryNs, operationNs } = costs.machine.registers;
    out.issueNs = out.durationNs = (accessesMemory(opcode) ? memoryNs : operationNs).value;
    return true;
  }
  if (MATRIX_OPCODES.includes(opcode)) return matrixCost(costs, opcode, operands, out);
  const rule = ruleOf(costs, engine, opcode, operands);
  if (!rule) return false;
  const shape = costOperands(
    costs.machine,
    operands.tiles.map(tile => walked(costs, tile)),
  );
  costs.elementwise(rule, engine, shape, out);
  if (opcode === 'ACTIVATE' && wordValue(operands, 'scale_ptr') !== undefined) addCost(out, costs.scaleRead());
  return true;
}

function ruleOf({ machine }: CostModel, engine: Engine, opcode: string, operands: RecordedOperands): CostRuleName | undefined {
  if (engine === 'Vector') return VECTOR_RULES[opcode];
  if (engine === 'GpSimd') return VECTOR_RULES[opcode] ? 'gpsimd' : undefined;
  if (engine !== 'Scalar') return undefined;
  if (SCALAR_COPIES.includes(opcode)) return 'scalarCopy';
  return opcode === 'ACTIVATE' ? (activationTable(machine, activationName(operands)) === '' ? 'scalarCopy' : 'activation') : undefined;
}

const walked = (
  { machine }: CostModel,
  { elements, bytesPerElement: bytes, innerStride: stride, addressBytes, isWritten }: Tile,
): WalkedOperand => ({
  elements,
  bytes,
  stride,
  isPsum: addressBytes >= machine.addressPsumBytes.value,
  isWritten,
});

function matrixCost(costs: CostModel, opcode: string, operands: RecordedOperands, out: Cost): boolean {
  const [source] = operands.tiles;
  if (!source) return false;
  const width = widthOf(source);
  if (opcode === 'LDWEIGHTS')
    costs.loadWeights(
      width,
      costs.machine.partitions.value,
      out,
      { elements: source.elements, strideBytes: Math.abs(source.innerStride) * source.bytesPerElement },
      wordValue(operands, 'transpose_mode') === 'ENABLED',
    );
  else costs.matmul(width, source.elements, out, isLongStride(costs.machine, source.innerStride, source.bytesPerElement));
  return true;
}

const widthOf = ({ bytesPerElement }: Tile): MatmulWidth => (bytesPerElement === 1 ? 'fp8' : bytesPerElement === 2 ? 'bf16' : 'fp32');
