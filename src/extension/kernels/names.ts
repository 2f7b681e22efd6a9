/**
 * What a name in a Python file means for us: which imports bring NKI, and which dotted names wrap a function as a kernel.
 * Works on the syntax tree alone; nothing is run or looked up.
 */
import type { SyntaxNode } from '@lezer/common';

/** Functions of `nki` that take a kernel: as a decorator, or called with it. */
const WRAPPERS = new Set(['jit', 'benchmark', 'baremetal', 'profile', 'simulate', 'simulate_kernel', 'trace']);
/** The same under names of their own, wherever they come from. */
const OWN_NAMES = new Set(['nki_jit', 'nki_benchmark', 'simulate_kernel']);

/** Local name -> dotted name it stands for, e.g. `j` -> `nki.jit`. */
export type ImportAliases = Map<string, string>;

/** Reads one import statement into `aliases`. */
export function readImport(statement: SyntaxNode, text: string, aliases: ImportAliases): void {
  const words = leaves(statement).map(node => text.slice(node.from, node.to));
  const from = words[0] === 'from';
  const split = from ? words.indexOf('import') : 0;
  if (split < 0) return;
  // of `from . import a` the dot is there already
  const module = from
    ? words
        .slice(1, split)
        .join('')
        .replace(/(?<!\.)$/, '.')
    : '';
  for (const item of groups(words.slice(split + 1).filter(word => word !== '(' && word !== ')'))) {
    const as = item.indexOf('as');
    const name = item.slice(0, as < 0 ? undefined : as).join('');
    // `import a.b` binds `a`, and `a.b` is then said in full: no alias needed.
    const local = as < 0 ? (from ? name : '') : item[as + 1];
    if (local) aliases.set(local, module + name);
  }
}

/** Does this dotted name, as written in the file, wrap kernels? */
export function wrapsKernels(dotted: string, aliases: ImportAliases): boolean {
  const [head, ...rest] = dotted.split('.');
  const path = [...(aliases.get(head) ?? head).split('.'), ...rest];
  const last = path[path.length - 1];
  if (OWN_NAMES.has(last)) return true;
  return WRAPPERS.has(last) && path.slice(0, -1).some(part => part === 'nki');
}

/** `a.b.c` of a name or member expression, or undefined for anything else. */
export function dottedName(node: SyntaxNode, text: string): string | undefined {
  if (node.name === 'VariableName') return text.slice(node.from, node.to);
  if (node.name !== 'MemberExpression' || node.lastChild?.name !== 'PropertyName') return undefined;
  const object = node.firstChild ? dottedName(node.firstChild, text) : undefined;
  return object && `${object}.${text.slice(node.lastChild.from, node.lastChild.to)}`;
}

function leaves(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') found.push(child);
  return found;
}

function groups(words: string[]): string[][] {
  const found: string[][] = [[]];
  for (const word of words) {
    if (word === ',') found.push([]);
    else found[found.length - 1].push(word);
  }
  return found;
}
