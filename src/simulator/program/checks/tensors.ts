/**
 * Check: a tensor on chip has no more partitions, and no more bytes per partition, than its memory. A tensor that the kernel places in
 * PSUM starts at a bank (aws-neuron-sdk nki/migration/index.rst, direct allocation). The allocator finds out if all tensors fit together.
 */
import { dtypes } from '../../vocabulary/dtypes';
import { errorAt, kibText } from '../error';
import { tensorShape } from '../program';
import type { CheckedProgram, CheckRule } from './checkedProgram';

export function tensors(checked: CheckedProgram): CheckRule {
  const { p, machine } = checked;
  return {
    tensor(t) {
      const space = checked.space(t);
      if (space === 'hbm') return;
      const shape = tensorShape(p, t);
      const limit = machine.partitions.value;
      const fail = (message: string) => errorAt(p, p.tensors.frame[t], message);
      if (shape.length > 0 && shape[0] > limit)
        throw fail(
          `tensor ${checked.name(t)} has shape [${[...shape]}]: ${space} has ${limit} partitions, the first dimension is ${shape[0]}`,
        );
      const bytes = checked.perPartition[t] * dtypes[p.tensors.dtype[t]].sizeBytes;
      const capacity = (space === 'psum' ? machine.psumBytesPerPartition : machine.sbufBytesPerPartition).value;
      if (bytes > capacity)
        throw fail(
          `tensor ${checked.name(t)} needs ${kibText(bytes)} of each partition of ${space.toUpperCase()}, and NeuronCore-${machine.generation} has ${kibText(capacity)} for tensors`,
        );
      const bank = machine.psumBankBytes.value;
      const address = p.tensors.addressBytes[t];
      if (space === 'psum' && p.dialect === 'nki' && address >= 0 && address % bank !== 0)
        throw fail(`tensor ${checked.name(t)} is placed at byte ${address} of PSUM; it must start at a bank, a multiple of ${bank}`);
    },
  };
}
