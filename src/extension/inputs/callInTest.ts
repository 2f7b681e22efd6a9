/**
 * The inputs that a test, or another script, calls a kernel with: `kernel(np.zeros((128, 512), dtype=np.float32), 4)`, and names that are
 * assigned such arrays before. Reads the syntax tree; what it does not understand it leaves out. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { KernelInfo } from '../../simulator/index';
import { createdArray } from './createdArray';
import { argumentsOf, childrenOf, textOfNode } from './syntax';

/** Names that are assigned above the place that is read, by what they are assigned. */
type Assigned = ReadonlyMap<string, SyntaxNode>;

/** By parameter, as one would type it; null where the text does not call the kernel with anything that can be read. */
export function callOf(text: string, kernel: string, params: KernelInfo['params']): Map<string, string> | null {
  const assigned = new Map<string, SyntaxNode>();
  let found: Map<string, string> | null = null;
  parser.parse(text).iterate({
    enter: () => found === null,
    leave: ({ node }) => {
      if (found !== null) return;
      if (node.name === 'AssignStatement') readAssignment(node, text, assigned);
      if (node.name !== 'CallExpression' || calleeOf(node, text) !== kernel) return;
      const inputs = inputsOf(node, text, params, assigned);
      if (inputs.size > 0) found = inputs;
    },
  });
  return found;
}

function readAssignment(statement: SyntaxNode, text: string, assigned: Map<string, SyntaxNode>) {
  const [target, operator, value] = childrenOf(statement).filter(({ name }) => name !== 'TypeDef');
  if (target?.name === 'VariableName' && operator?.name === 'AssignOp' && value) assigned.set(textOfNode(target, text), value);
}

/** `kernel` of `kernel(...)` and of `kernel[2](...)`. */
function calleeOf(call: SyntaxNode, text: string): string | undefined {
  const callee = call.firstChild;
  const isIndexed = callee?.name === 'MemberExpression' && callee.lastChild?.name === ']';
  const named = isIndexed ? callee.firstChild : callee;
  return named?.name === 'VariableName' ? textOfNode(named, text) : undefined;
}

function inputsOf(call: SyntaxNode, text: string, params: KernelInfo['params'], assigned: Assigned): Map<string, string> {
  const found = new Map<string, string>();
  for (const [index, { name: keyword, value }] of argumentsOf(call, text).entries()) {
    const name = keyword ?? params[index]?.name;
    const input = inputOf(value, text, assigned);
    if (input !== undefined && params.some(param => param.name === name)) found.set(name, input);
  }
  return found;
}

function inputOf(node: SyntaxNode, text: string, assigned: Assigned): string | undefined {
  const value = node.name === 'VariableName' ? assigned.get(textOfNode(node, text)) : node;
  return value && (plainValue(value, text) ?? createdArray(value, text, name => assigned.get(name)));
}

const CONSTANTS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function plainValue(node: SyntaxNode, text: string): string | undefined {
  const written = textOfNode(node, text);
  if (node.name === 'Boolean' || node.name === 'None') return CONSTANTS[written];
  const isNegative = node.name === 'UnaryExpression' && written.startsWith('-') && childrenOf(node)[1]?.name === 'Number';
  return (node.name === 'Number' || isNegative) && Number.isFinite(Number(written)) ? written : undefined;
}
