/**
 * Finds the NKI kernels of a Python file while it is being typed, so that a CodeLens can stand above each: functions decorated
 * with `nki.jit`, `nki.benchmark` and their like however imported, and functions handed to one of these.
 *
 * Pure, tolerant of broken text, and only a guess for the editor: what a kernel really is decides the front end, by running it.
 */
import { type SyntaxNode, type Tree, TreeFragment } from '@lezer/common';
import { parser } from '@lezer/python';
import { dottedName, type ImportAliases, readImport, wrapsKernels } from './names';

export interface KernelDeclaration {
  name: string;
  /** Of the `def`, 1-based. */
  line: number;
  /** Of the last line of the body, 1-based. */
  endLine: number;
  /** false: a method or an inner function, which only the file itself can call. */
  topLevel: boolean;
}

export interface KernelFile {
  /** In the order of the file. */
  kernels: KernelDeclaration[];
  /** The file calls something when it is run as a script: `if __name__ == "__main__":`, or a plain call. */
  isScript: boolean;
  /** Calls of what other files define, in the order of the file. */
  importedCalls: ImportedCall[];
}

/** A call of an imported function. */
export interface ImportedCall {
  /** As the import writes it: `a.b`, `.a`. */
  module: string;
  name: string;
  /** 1-based. */
  line: number;
}

/** The parse in progress. */
interface Scan {
  text: string;
  aliases: ImportAliases;
  /** Functions by name; of two with one name the later wins, as in Python. */
  functions: Map<string, { node: SyntaxNode; topLevel: boolean }>;
  decorated: Set<SyntaxNode>;
  /** Functions handed to a wrapper, and functions called by module-level code. */
  wrapped: Set<string>;
  called: Set<string>;
  /** Dotted names of imports that are called, and where. */
  importedCalls: { path: string; at: number }[];
  hasMain: boolean;
}

export const findKernels = (text: string): KernelFile => new KernelFinder().read(text);

/**
 * One file over its edits: only what an edit touched is parsed again, since CodeLenses are asked for at every keystroke
 * (2,000 dense lines on 2 cores: 46 ms the first time, under 2 ms after an edit).
 */
export class KernelFinder {
  private text = '';
  private tree: Tree | null = null;

  read(text: string): KernelFile {
    if (!text.includes('nki') && !text.includes('import ')) return { kernels: [], isScript: false, importedCalls: [] };
    this.tree = parser.parse(text, this.tree ? unchanged(this.tree, this.text, text) : []);
    this.text = text;
    return kernelFile(this.tree, text);
  }
}

/** Parts of the old tree that the new text still has: what lies before and after the one stretch that differs. */
function unchanged(tree: Tree, before: string, after: string): readonly TreeFragment[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  const change = { fromA: head, toA: before.length - tail, fromB: head, toB: after.length - tail };
  return TreeFragment.applyChanges(TreeFragment.addTree(tree), [change]);
}

function kernelFile(tree: Tree, text: string): KernelFile {
  const scan: Scan = {
    text,
    aliases: new Map(),
    functions: new Map(),
    decorated: new Set(),
    wrapped: new Set(),
    called: new Set(),
    importedCalls: [],
    hasMain: false,
  };
  visitChildren(tree.topNode, scan, 0);
  const isScript = scan.hasMain || [...scan.called].some(name => scan.functions.has(name));
  return { kernels: kernelsOf(scan), isScript, importedCalls: importedCallsOf(scan) };
}

/** @param depth how many functions and classes enclose the node */
function visit(node: SyntaxNode, scan: Scan, depth: number): void {
  switch (node.name) {
    case 'ImportStatement':
      readImport(node, scan.text, scan.aliases);
      return;
    case 'FunctionDefinition':
      readFunction(node, scan, depth);
      visitChildren(node, scan, depth + 1);
      return;
    case 'ClassDefinition':
      visitChildren(node, scan, depth + 1);
      return;
    case 'CallExpression':
      readCall(node, scan, depth);
      break;
    case 'IfStatement':
      if (depth === 0 && isMainGuard(node, scan.text)) scan.hasMain = true;
  }
  visitChildren(node, scan, depth);
}

function visitChildren(node: SyntaxNode, scan: Scan, depth: number) {
  for (let child = node.firstChild; child; child = child.nextSibling) visit(child, scan, depth);
}

function readFunction(node: SyntaxNode, scan: Scan, depth: number) {
  const name = node.getChild('VariableName');
  if (!name) return;
  scan.functions.set(scan.text.slice(name.from, name.to), { node, topLevel: depth === 0 });
  if (node.parent?.name !== 'DecoratedStatement') return;
  if (node.parent.getChildren('Decorator').some(decorator => isKernelDecorator(decorator, scan))) scan.decorated.add(node);
}

/** `@nki.jit`, `@nki.jit(...)`, `@partial(nki.jit, ...)`. The grammar leaves a decorator's dotted name flat. */
function isKernelDecorator(decorator: SyntaxNode, scan: Scan): boolean {
  const list = decorator.getChild('ArgList');
  const name = scan.text.slice(decorator.from + 1, list?.from ?? decorator.to).trim();
  if (wrapsKernels(name, scan.aliases)) return true;
  const first = list && firstArgument(list);
  return /(^|\.)partial$/.test(name) && !!first && wraps(first, scan);
}

function readCall(call: SyntaxNode, scan: Scan, depth: number) {
  const callee = call.firstChild;
  const list = call.getChild('ArgList');
  if (!callee || !list) return;
  if (depth === 0) scan.called.add(baseName(callee, scan.text));
  readImportedCall(callee, scan);
  const argument = firstArgument(list);
  // `nki.jit(f)`, and `nki.benchmark(warmup=5)(f)`
  const wrapper = callee.name === 'CallExpression' ? callee.firstChild : callee;
  if (argument?.name === 'VariableName' && wrapper && wraps(wrapper, scan)) scan.wrapped.add(scan.text.slice(argument.from, argument.to));
}

/** `kernel(...)`, `kernel[2](...)`, `kernels.softmax.kernel(...)` of an import. */
function readImportedCall(callee: SyntaxNode, scan: Scan) {
  const isIndexed = callee.name === 'MemberExpression' && callee.lastChild?.name !== 'PropertyName';
  const function_ = isIndexed ? callee.firstChild : callee;
  const name = function_ && dottedName(function_, scan.text);
  if (!name) return;
  const [head, ...rest] = name.split('.');
  const known = scan.aliases.get(head);
  if (known !== undefined || rest.length > 0) scan.importedCalls.push({ path: [known ?? head, ...rest].join('.'), at: callee.from });
}

function importedCallsOf({ importedCalls, text }: Scan): ImportedCall[] {
  const lineOf = lineCounter(text);
  return importedCalls.flatMap(({ path, at }) => {
    const end = path.lastIndexOf('.');
    // `.kernels` is a module without a name in it
    return end < 0 || end === path.length - 1 ? [] : [{ module: path.slice(0, end) || '.', name: path.slice(end + 1), line: lineOf(at) }];
  });
}

function wraps(node: SyntaxNode, scan: Scan): boolean {
  const name = dottedName(node, scan.text);
  return name !== undefined && wrapsKernels(name, scan.aliases);
}

const firstArgument = (list: SyntaxNode) => list.firstChild?.nextSibling ?? null;

/** `f` of `f(...)`, `f[2](...)`, `f.x(...)`. */
function baseName(node: SyntaxNode, text: string): string {
  let base = node;
  while ((base.name === 'MemberExpression' || base.name === 'CallExpression') && base.firstChild) base = base.firstChild;
  return text.slice(base.from, base.to);
}

function isMainGuard(node: SyntaxNode, text: string): boolean {
  const condition = node.getChild('BinaryExpression');
  return (
    !!condition && /^(__name__\s*==\s*['"]__main__['"]|['"]__main__['"]\s*==\s*__name__)$/.test(text.slice(condition.from, condition.to))
  );
}

function kernelsOf(scan: Scan): KernelDeclaration[] {
  const lineOf = lineCounter(scan.text);
  const isKernel = (name: string, node: SyntaxNode) => scan.decorated.has(node) || scan.wrapped.has(name);
  return [...scan.functions]
    .filter(([name, { node }]) => isKernel(name, node))
    .map(([name, { node, topLevel }]) => ({ name, line: lineOf(node.from), endLine: lineOf(Math.max(node.from, node.to - 1)), topLevel }))
    .sort((a, b) => a.line - b.line);
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
