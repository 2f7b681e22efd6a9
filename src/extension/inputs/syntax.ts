/** Reads single nodes of a Python syntax tree: numbers, names, lists, arguments of a call. What any of them means to a kernel is said elsewhere. Pure. */
import type { SyntaxNode } from '@lezer/common';

export const textOfNode = (node: SyntaxNode, text: string): string => text.slice(node.from, node.to);

/** Without the parentheses around it. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (inner.name === 'ParenthesizedExpression' && inner.firstChild?.nextSibling) inner = inner.firstChild.nextSibling;
  return inner;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') found.push(child);
  return found;
}

/** Elements of a tuple or a list; undefined of anything else. */
export function elementsOf(node: SyntaxNode): SyntaxNode[] | undefined {
  if (node.name !== 'TupleExpression' && node.name !== 'ArrayExpression') return undefined;
  return childrenOf(node).filter(({ name }) => !'()[],'.includes(name));
}

export interface WrittenArgument {
  /** Of a keyword argument. */
  name?: string;
  value: SyntaxNode;
}

/** In their order; `*args` and `**more` are left out, since what they stand for is not written there. */
export function argumentsOf(call: SyntaxNode, text: string): WrittenArgument[] {
  const list = call.getChild('ArgList');
  const found: WrittenArgument[] = [];
  let nodes: SyntaxNode[] = [];
  for (const node of list ? childrenOf(list).slice(1) : []) {
    if (node.name !== ',' && node.name !== ')') {
      nodes.push(node);
      continue;
    }
    if (nodes.length === 1) found.push({ value: nodes[0] });
    if (nodes.length === 3 && nodes[1].name === 'AssignOp') found.push({ name: textOfNode(nodes[0], text), value: nodes[2] });
    nodes = [];
  }
  return found;
}

/** Longer ones are no sizes that somebody typed. */
const MOST_CHARACTERS = 200;

/** A whole number, or an expression of such: `4 * 128`, `-1`. @param named values of names; what they do not have gives undefined */
export function wholeNumber(node: SyntaxNode, text: string, named: (name: string) => number | undefined): number | undefined {
  if (node.to - node.from > MOST_CHARACTERS) return undefined;
  const inner = unwrapped(node);
  if (inner.name === 'VariableName') return named(textOfNode(inner, text));
  if (inner.name === 'Number') {
    const value = Number(textOfNode(inner, text).replaceAll('_', ''));
    return Number.isSafeInteger(value) ? value : undefined;
  }
  if (inner.name !== 'BinaryExpression') return undefined;
  const [left, operator, right] = childrenOf(inner);
  const calculate = operator && right ? ARITHMETIC[textOfNode(operator, text)] : undefined;
  const a = calculate && wholeNumber(left, text, named);
  const b = a === undefined ? undefined : wholeNumber(right, text, named);
  const value = b === undefined ? undefined : calculate!(a!, b);
  return Number.isSafeInteger(value) ? value : undefined;
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => Math.floor(a / b),
};
