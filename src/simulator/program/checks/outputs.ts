/** Check: a kernel writes all elements of the tensors that it returns, and it records at least one instruction. */
import { instructionCount } from '../program';
import { BoxText } from './boxText';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';
import type { WrittenElements } from './written';

export function outputs(checked: CheckedProgram, warnings: Warnings, written: WrittenElements): CheckRule {
  const { p } = checked;

  const output = (name: string, tensor: number) => {
    if (written.all(tensor)) return;
    const frame = p.tensors.frame[tensor];
    if (written.nothing(tensor)) {
      warnings.add(frame, `${name} is returned, but the kernel never writes to it`);
      return;
    }
    const box = new BoxText(checked, tensor);
    const missing = written.eachMissingOf(tensor, box.add);
    if (missing === 0) return;
    const share = `${missing.toLocaleString('en')} of ${checked.elements[tensor].toLocaleString('en')} elements`;
    warnings.add(frame, `${name} is returned, but the kernel does not write all of it: ${share} are missing, in ${box.text()}`);
  };

  return {
    end() {
      if (instructionCount(p) > 0) for (const { name, tensor } of p.outputs) output(name, tensor);
      else if (p.outputs.length > 0) warnings.add(p.tensors.frame[p.outputs[0].tensor], nothing(p.kernel));
      else warnings.addAt(p.files[0]?.path ?? '', 1, nothing(p.kernel));
    },
  };
}

const nothing = (kernel: string) => `kernel ${kernel} records no instruction: it computes and moves nothing`;
