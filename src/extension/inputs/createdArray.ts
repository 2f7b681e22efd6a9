/** The array that an expression creates: `np.random.rand(128, 512).astype(np.float32)` is `float32[128,512]`. Reads the syntax tree. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { dtypeWord } from './dtypeWord';
import { argumentsOf, elementsOf, textOfNode, unwrapped, wholeNumber } from './syntax';

const CREATORS = new Set('zeros ones empty full rand randn random standard_normal normal uniform random_sample'.split(' '));
/** Where a creator takes its shape by name. */
const SHAPE_KEYWORDS = new Set(['shape', 'size']);
const MODULES = new Set(['np', 'numpy', 'torch', 'nl', 'jnp', 'ml_dtypes']);
const USUAL_DTYPE = 'float32';
/** Longer ones are no arrays that somebody typed. */
const MOST_CHARACTERS = 2000;

/** @param assigned what a name is assigned @returns as it is typed; undefined where the expression creates no array that can be read */
export function createdArray(expression: SyntaxNode, text: string, assigned: (name: string) => SyntaxNode | undefined): string | undefined {
  if (expression.to - expression.from > MOST_CHARACTERS) return undefined;
  const known = new Map<string, number | undefined>();
  const sizes = (name: string): number | undefined => {
    if (known.has(name)) return known.get(name);
    // until it is known, so that a name whose value names itself has none
    known.set(name, undefined);
    const value = assigned(name);
    known.set(name, value && wholeNumber(value, text, sizes));
    return known.get(name);
  };
  const elements = (node: SyntaxNode) => elementsOf(unwrapped((node.name === 'VariableName' && assigned(textOfNode(node, text))) || node));
  let shape: number[] | undefined;
  let dtype = USUAL_DTYPE;
  const visit = (node: SyntaxNode) => {
    if (node.name === 'CallExpression') shape ??= createdShape(node, text, elements, sizes);
    if (node.name === 'MemberExpression') dtype = dtypeOf(textOfNode(node, text)) ?? dtype;
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
  };
  visit(expression);
  return shape && `${dtype}[${shape}]`;
}

/** `zeros((4, 8))`, `rand(4, 8)`, `normal(size=(4, 8))`. */
function createdShape(
  call: SyntaxNode,
  text: string,
  elements: (node: SyntaxNode) => SyntaxNode[] | undefined,
  sizes: (name: string) => number | undefined,
): number[] | undefined {
  const callee = call.firstChild && textOfNode(call.firstChild, text).split('.').at(-1)!;
  if (!callee || !CREATORS.has(callee)) return undefined;
  const written = argumentsOf(call, text);
  const positional = written.filter(({ name }) => name === undefined).map(({ value }) => value);
  const named = written.find(({ name }) => name !== undefined && SHAPE_KEYWORDS.has(name))?.value;
  // `normal(0, 1, (4, 8))` has its shape last
  const nodes = (named ? [named] : positional).map(node => elements(node)).find(found => found) ?? (named ? [named] : positional);
  const shape = nodes.map(node => wholeNumber(node, text, sizes));
  return shape.length > 0 && shape.every(size => size !== undefined && size > 0) ? (shape as number[]) : undefined;
}

function dtypeOf(dotted: string): string | undefined {
  const [module, ...rest] = dotted.split('.');
  return MODULES.has(module) && rest.length > 0 ? dtypeWord(dotted) : undefined;
}
