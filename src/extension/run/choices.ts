/**
 * The possible runs of a file: the file as a script, a saved case of a kernel, or a kernel that needs inputs, in the order of preference.
 * Pure; the user chooses among several.
 */
import type { KernelCase } from '../../simulator/index';
import type { KernelFile } from '../kernels/findKernels';
import { labelText } from '../plainText';

export type Choice =
  | { kind: 'script' /** Show this kernel's runs first. */; kernel?: string }
  | { kind: 'case'; kernel: string; case: KernelCase }
  | { kind: 'ask'; kernel: string };

/**
 * @param kernel the one whose CodeLens was clicked; undefined from the palette
 * @param casesOf the remembered cases of a kernel
 */
export function choices(file: KernelFile, casesOf: (kernel: string) => KernelCase[], kernel?: string): Choice[] {
  const named = file.kernels.filter(k => k.topLevel && (kernel === undefined || k.name === kernel)).map(k => k.name);
  const cases = named.flatMap(name => casesOf(name).map((c): Choice => ({ kind: 'case', kernel: name, case: c })));
  // A file without kernels may still call those of another file.
  if (file.isScript || named.length === 0) return [{ kind: 'script', kernel }, ...cases];
  const withoutCase = named.filter(name => casesOf(name).length === 0);
  return [...cases, ...withoutCase.map((name): Choice => ({ kind: 'ask', kernel: name }))];
}

/** After a script that did not call the kernel: the other choices for the kernel. */
export function choicesWithoutScript(kernels: string[], casesOf: (kernel: string) => KernelCase[]): Choice[] {
  return kernels.flatMap((kernel): Choice[] => {
    const cases = casesOf(kernel);
    return cases.length > 0 ? cases.map(c => ({ kind: 'case', kernel, case: c })) : [{ kind: 'ask', kernel }];
  });
}

export function choiceLabel(choice: Choice): { label: string; description: string } {
  switch (choice.kind) {
    case 'script':
      return { label: 'Run the file', description: 'every kernel call is profiled' };
    case 'case':
      return { label: choice.kernel, description: labelText(choice.case.name) };
    case 'ask':
      return { label: choice.kernel, description: 'enter inputs…' };
  }
}
