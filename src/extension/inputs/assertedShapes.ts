/**
 * Shapes that a kernel's asserts allow: `assert x.shape == (128, 512)`, `rows, columns = x.shape` with `assert rows % 128 == 0`,
 * `assert x.shape[1] <= 2048`, `assert x.dtype == nl.float32`. Reads the syntax tree; what it does not understand it leaves out. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { dtypeWord } from './dtypeWord';
import { childrenOf, elementsOf, textOfNode, unwrapped, wholeNumber } from './syntax';

const USUAL_DTYPE = 'bf16';
/** Longer ones are no asserts that somebody typed. */
const MOST_CHARACTERS = 2000;
/** Of a dimension that nothing is said of. */
const FREE_SIZE = 512;
const FIRST_SIZE = 128;

interface Shape {
  /** Sizes, or the names that have them: of variables, or `x.shape[1]`. */
  dimensions: (string | number | undefined)[];
  dtype: string;
}

/** What was read so far. */
interface Facts {
  text: string;
  sizes: Map<string, number>;
  /** By parameter. Parameters that an assert says are alike have one. */
  shapes: Map<string, Shape>;
  /** Names of one size, which may become known later. */
  equal: [string, string][];
}

/** @param body text of the function @returns by parameter, as `dtype[shape]` */
export function assertedShapes(body: string): Map<string, string> {
  const facts: Facts = { text: body, sizes: new Map(), shapes: new Map(), equal: [] };
  parser.parse(body).iterate({
    enter: ({ node }) => {
      if (node.name === 'AssignStatement') readAssignment(facts, node);
      if (node.name === 'AssertStatement' && node.firstChild?.nextSibling && node.to - node.from <= MOST_CHARACTERS)
        readCondition(facts, node.firstChild.nextSibling);
    },
  });
  shareSizes(facts);
  return new Map([...facts.shapes].filter(([, shape]) => isSaid(shape)).map(([name, shape]) => [name, typed(facts, shape)]));
}

/** `TILE = 4 * 128`, `rows, columns = x.shape`, `columns = x.shape[1]`. */
function readAssignment(facts: Facts, statement: SyntaxNode) {
  const nodes = childrenOf(statement);
  const assign = nodes.findIndex(({ name }) => name === 'AssignOp');
  const value = nodes[assign + 1];
  if (assign < 1 || !value) return;
  const targets = assign === 1 ? (elementsOf(nodes[0]) ?? [nodes[0]]) : nodes.slice(0, assign).filter(({ name }) => name !== ',');
  if (!targets.every(({ name }) => name === 'VariableName')) return;
  const names = targets.map(node => textOfNode(node, facts.text));
  const parameter = ownerOf(facts, value, 'shape');
  if (parameter !== undefined && names.length > 1) shapeOf(facts, parameter).dimensions = names;
  if (names.length !== 1) return;
  const indexed = indexedShape(facts, value);
  if (indexed) shapeOf(facts, indexed.parameter).dimensions[indexed.index] = names[0];
  const size = sizeOf(facts, value);
  if (size !== undefined) facts.sizes.set(names[0], size);
}

/** `a and b`, `(a)`, `0 < a <= 5`, and a single comparison. */
function readCondition(facts: Facts, condition: SyntaxNode) {
  const [left, operator, right] = childrenOf(unwrapped(condition));
  if (!right) return;
  if (operator.name === 'and') {
    readCondition(facts, left);
    readCondition(facts, right);
  } else if (left.name === 'BinaryExpression' && left.getChild('CompareOp')) {
    readCondition(facts, left);
    readComparison(facts, left.lastChild!, textOfNode(operator, facts.text), right);
  } else readComparison(facts, left, textOfNode(operator, facts.text), right);
}

function readComparison(facts: Facts, left: SyntaxNode, operator: string, right: SyntaxNode) {
  if (operator === '==' || operator === 'is') readEquality(facts, left, right);
  if (operator === '==' && left.name === 'BinaryExpression') readMultiple(facts, left, right);
  if (!['==', '<=', '>='].includes(operator)) return;
  const [subject, bound] = subjectOf(facts, left) === undefined ? [right, left] : [left, right];
  const size = sizeOf(facts, bound);
  if (size !== undefined) limit(facts, subject, size);
  else if (operator === '==') {
    const names = [left, right].map(node => subjectOf(facts, node));
    if (names[0] !== undefined && names[1] !== undefined) facts.equal.push([names[0], names[1]]);
  }
}

/** Whole shapes, and dtypes. */
function readEquality(facts: Facts, left: SyntaxNode, right: SyntaxNode) {
  const typedParameter = ownerOf(facts, left, 'dtype');
  if (typedParameter !== undefined) shapeOf(facts, typedParameter).dtype = dtypeWord(textOfNode(right, facts.text)) ?? USUAL_DTYPE;
  const parameter = ownerOf(facts, left, 'shape');
  if (parameter === undefined) return;
  const elements = elementsOf(right);
  if (elements) shapeOf(facts, parameter).dimensions = elements.map(node => sizeOf(facts, node) ?? textOfNode(node, facts.text));
  const other = ownerOf(facts, right, 'shape');
  if (other !== undefined) facts.shapes.set(parameter, shapeOf(facts, other));
}

/** `rows % 128 == 0`: what must be a multiple of several tiles is at least the largest. */
function readMultiple(facts: Facts, left: SyntaxNode, right: SyntaxNode) {
  const [subject, operator, divisor] = childrenOf(left);
  if (!divisor || textOfNode(operator, facts.text) !== '%' || textOfNode(right, facts.text) !== '0') return;
  const size = sizeOf(facts, divisor);
  const known = facts.sizes.get(subjectOf(facts, subject) ?? '');
  if (size !== undefined) limit(facts, subject, Math.max(size, known ?? 0));
}

function limit(facts: Facts, node: SyntaxNode, size: number) {
  const subject = subjectOf(facts, node);
  if (subject === undefined || size < 1) return;
  const indexed = indexedShape(facts, node);
  if (indexed) shapeOf(facts, indexed.parameter).dimensions[indexed.index] ??= subject;
  facts.sizes.set(subject, size);
}

/** Twice, so that a chain of equal names in any order has one size. */
function shareSizes({ equal, sizes }: Facts) {
  for (const names of [...equal, ...equal]) {
    const size = sizes.get(names[0]) ?? sizes.get(names[1]);
    if (size !== undefined) for (const name of names) sizes.set(name, size);
  }
}

const isSaid = ({ dimensions, dtype }: Shape) => dimensions.length > 0 || dtype !== USUAL_DTYPE;

function typed({ sizes }: Facts, { dimensions, dtype }: Shape): string {
  // not map: it passes over dimensions that nothing was said of
  const words = dimensions.length > 0 ? Array.from(dimensions) : [undefined, undefined];
  const numbers = words.map((word, index) => (typeof word === 'string' ? sizes.get(word) : word) ?? (index === 0 ? FIRST_SIZE : FREE_SIZE));
  return `${dtype}[${numbers}]`;
}

function shapeOf({ shapes }: Facts, parameter: string): Shape {
  const known = shapes.get(parameter) ?? { dimensions: [], dtype: USUAL_DTYPE };
  shapes.set(parameter, known);
  return known;
}

const sizeOf = ({ text, sizes }: Facts, node: SyntaxNode) => wholeNumber(node, text, name => sizes.get(name));

/** `x` of `x.shape`. */
const ownerOf = ({ text }: Facts, node: SyntaxNode, property: string) =>
  new RegExp(`^(\\w+)\\.${property}$`).exec(textOfNode(node, text))?.[1];

function indexedShape({ text }: Facts, node: SyntaxNode): { parameter: string; index: number } | undefined {
  const [, parameter, index] = /^(\w+)\.shape\[(\d)\]$/.exec(textOfNode(node, text)) ?? [];
  return parameter === undefined ? undefined : { parameter, index: Number(index) };
}

/** What a size can be said of: a variable, or `x.shape[1]`. */
function subjectOf(facts: Facts, node: SyntaxNode): string | undefined {
  return node.name === 'VariableName' || indexedShape(facts, node) ? textOfNode(node, facts.text) : undefined;
}
