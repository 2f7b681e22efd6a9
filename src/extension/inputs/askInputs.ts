/** Asks for a kernel's inputs, one box per parameter without a default, each checked while it is typed. */
import * as vscode from 'vscode';
import { type ArgumentValue, type KernelCase, type KernelInfo, parseArgument } from '../../simulator/index';

/** @returns undefined when the user backed out */
export async function askInputs({ name, params }: KernelInfo): Promise<KernelCase | undefined> {
  const asked = params.filter(param => param.default === null);
  const args: Record<string, ArgumentValue> = {};
  const typed: string[] = [];
  for (const [index, param] of asked.entries()) {
    const text = await vscode.window.showInputBox({
      title: `Inputs of ${name} (${index + 1}/${asked.length})`,
      prompt: `${param.name}${param.annotation ? `: ${param.annotation}` : ''} — a tensor as dtype[shape], or a plain value`,
      placeHolder: 'bf16[128,512]',
      // Kernels often take tensors alike: the last one is the first guess.
      value: typed.at(-1),
      ignoreFocusOut: true,
      validateInput: refusal,
    });
    if (text === undefined) return undefined;
    typed.push(text.trim());
    args[param.name] = storedValue(text);
  }
  return { name: typed.join(', ') || 'no inputs', args };
}

function refusal(text: string): string | undefined {
  try {
    parseArgument(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Tensors as typed, which is shorter to read in the file; plain values as what they are. */
function storedValue(text: string): ArgumentValue {
  const parsed = parseArgument(text);
  return parsed.kind === 'tensor' ? text.trim() : parsed.value;
}
