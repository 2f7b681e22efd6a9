/**
 * Finds names in a kernel file that can be changed for a newer version of NKI without changing the kernel: functions with a new name, and
 * renamed parameters. It uses the syntax tree only. `quickFixes.ts` offers the changes.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { compareVersions, RENAMED_PARAMETERS } from '../../simulator/index';
import { dottedName, type ImportAliases, readImport } from '../kernels/names';

export interface Migration {
  /** Characters [from, to) of the text become `text`. */
  from: number;
  to: number;
  text: string;
  title: string;
}

interface Replaced {
  version: string;
  text: string;
  /** Only the last part of the dotted name is replaced. */
  last?: true;
  /** Only for calls with positional arguments only. */
  called?: true;
}

const RANGE: Replaced = { version: '0.7', text: 'range', called: true };
const REPLACED: Readonly<Record<string, Replaced>> = {
  'nki.language.affine_range': RANGE,
  'nki.language.sequential_range': RANGE,
  'nki.language.static_range': RANGE,
  'nki.language.tile_size.total_available_sbuf_size': { version: '0.4', text: 'sbuf_fmax_bytes', last: true },
};

/** Changes in the order of the text. @param version the file's version of NKI */
export function migrations(text: string, version: string): Migration[] {
  const aliases: ImportAliases = new Map();
  const found: Migration[] = [];
  parser.parse(text).iterate({
    enter({ node }) {
      if (node.name === 'ImportStatement') readImport(node, text, aliases);
      else if (node.name === 'MemberExpression' || node.name === 'VariableName') found.push(...name(node, text, aliases, version));
      else if (node.name === 'CallExpression') found.push(...parameters(node, text, aliases, version));
    },
  });
  return found.sort((a, b) => a.from - b.from);
}

function name(node: SyntaxNode, text: string, aliases: ImportAliases, version: string): Migration[] {
  const replaced = REPLACED[meant(node, text, aliases) ?? ''];
  if (!replaced || compareVersions(version, replaced.version) < 0) return [];
  if (replaced.called && !isCalledByPosition(node)) return [];
  const { from, to } = replaced.last ? node.lastChild! : node;
  return [{ from, to, text: replaced.text, title: `Write ${replaced.text} (NKI ${replaced.version})` }];
}

/** The full dotted name outside of this file. */
function meant(node: SyntaxNode, text: string, aliases: ImportAliases): string | undefined {
  const [head, ...rest] = dottedName(node, text)?.split('.') ?? [];
  return head === undefined ? undefined : [aliases.get(head) ?? head, ...rest].join('.');
}

/** `range` takes no keywords. */
function isCalledByPosition({ parent, from }: SyntaxNode): boolean {
  const list = parent?.name === 'CallExpression' && parent.firstChild?.from === from ? parent.getChild('ArgList') : null;
  return list !== null && list.getChildren('AssignOp').length === 0;
}

function parameters(call: SyntaxNode, text: string, aliases: ImportAliases, version: string): Migration[] {
  const callee = call.firstChild && meant(call.firstChild, text, aliases);
  const names =
    call
      .getChild('ArgList')
      ?.getChildren('AssignOp')
      .map(({ prevSibling }) => prevSibling!) ?? [];
  const written = (node: SyntaxNode) => text.slice(node.from, node.to);
  return RENAMED_PARAMETERS.filter(
    renamed =>
      `nki.${renamed.function}` === callee &&
      compareVersions(version, renamed.version) >= 0 &&
      !names.some(node => written(node) === renamed.to),
  ).flatMap(renamed =>
    names
      .filter(node => written(node) === renamed.from)
      .map(({ from, to }) => ({ from, to, text: renamed.to, title: `Write ${renamed.to}= (NKI ${renamed.version})` })),
  );
}
