/**
 * Which run a file offers: the file as a script, a remembered case of a kernel, or a kernel whose inputs must be asked for.
 * The order is the order of preference. Pure; choosing among several is the user's.
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
  // A file without kernels of its own may still call another file's.
  if (file.isScript || named.length === 0) return [{ kind: 'script', kernel }, ...cases];
  const withoutCase = named.filter(name => casesOf(name).length === 0);
  return [...cases, ...withoutCase.map((name): Choice => ({ kind: 'ask', kernel: name }))];
}

/** After a script that did not call the kernel: what else the kernel offers. */
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
