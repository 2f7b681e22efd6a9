/**
 * Python that runs here, where kernels are ordinary Python, but that the NKI compiler does not accept. The check reads the text of the
 * functions that recorded an instruction. It reports only what the documents name (aws-neuron-sdk nki/migration/index.rst "NKI 0.3.0",
 * nki/get-started/nki-language-guide.rst "NKI Values", "Class Support"), and names that the kernel's version of NKI deprecates. Since NKI
 * 0.7 kernels are traced as ordinary Python: `is`, dictionaries and classes of any kind are accepted.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { compareVersions, NEWEST_NKI, versionedNames, versionsOf } from '../../isa/versions';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';

type Report = (node: SyntaxNode, message: string, severity?: 'info') => void;

export function language(checked: CheckedProgram, warnings: Warnings): CheckRule {
  const { p } = checked;
  return {
    end() {
      if (p.dialect !== 'nki') return;
      const version = p.nkiVersion ?? NEWEST_NKI;
      const [isTraced, leaving] = [compareVersions(version, '0.7') >= 0, namesLeaving(version)];
      for (const [file, functions] of recording(checked).entries()) {
        const { path, text } = p.files[file];
        const report: Report = (node, message, severity) => warnings.addAt(path, lineAt(text, node.from), message, severity);
        const tree = parser.parse(text);
        const seen = new Set<number>();
        for (const { name, position, isKernel } of functions.map(f => ({ ...f, position: lineStart(text, f.line) }))) {
          const found = definition(tree, text, name, position);
          if (!found || seen.has(found.from)) continue;
          seen.add(found.from);
          if (isKernel) signature(found, text, report);
          if (!isTraced) parsedOnly(found, text, report);
          body(found, text, report, leaving);
        }
      }
    },
  };
}

interface Recording {
  name: string;
  /** A line inside the function. */
  line: number;
  isKernel: boolean;
}

/** By file: the functions on the call stacks of instructions. */
function recording({ p }: CheckedProgram): Recording[][] {
  const { file, line, parent, function: names } = p.frames;
  const byFile: Recording[][] = p.files.map(() => []);
  const once = new Set<string>();
  for (let frame = 0; frame < file.length; frame++) {
    const name = p.strings[names[frame]];
    const key = `${file[frame]} ${line[frame]} ${name}`;
    if (once.has(key)) continue;
    once.add(key);
    byFile[file[frame]]?.push({ name, line: line[frame], isKernel: parent[frame] < 0 });
  }
  return byFile;
}

/** The innermost function of that name around a position. */
function definition(tree: Tree, text: string, name: string, position: number): SyntaxNode | null {
  for (let node: SyntaxNode | null = tree.resolveInner(position, 1); node; node = node.parent)
    if (node.name === 'FunctionDefinition' && textOf(node.getChild('VariableName'), text) === name) return node;
  return null;
}

/** Reports parameters that a kernel must not have. */
function signature(definition: SyntaxNode, text: string, report: Report) {
  const list = definition.getChild('ParamList');
  for (const star of list?.getChildren('*') ?? [])
    if (star.nextSibling?.name === ',') report(star, 'the NKI compiler does not take keyword-only parameters (*) of a kernel');
  for (const value of list?.getChildren('ArrayExpression') ?? [])
    report(value, `the NKI compiler does not take a list as an argument of a kernel: make ${textOf(value, text)} a tuple`);
}

/** Reports Python that compilers before NKI 0.7 do not accept. They read the source instead of tracing it. */
function parsedOnly(definition: SyntaxNode, text: string, report: Report) {
  owner(definition, text, report);
  definition.cursor().iterate(({ node }) => {
    if (node.name === 'is' && !comparesNone(node)) {
      const word = node.nextSibling?.name === 'not' ? ['is not', '!='] : ['is', '=='];
      report(node, `the NKI compiler does not take "${word[0]}" of anything but None: use ${word[1]}`);
    }
    if (node.name === 'DictionaryExpression')
      for (const key of node.getChildren(':').map(colon => colon.prevSibling))
        if (['Number', 'Boolean', 'None'].includes(key?.name ?? ''))
          report(key!, `the NKI compiler takes dictionaries whose keys are strings only, not ${textOf(key, text)}`);
  });
}

/** Reports a method of a class that does not inherit from NKIObject. */
function owner(definition: SyntaxNode, text: string, report: Report) {
  const parent = definition.parent?.name === 'DecoratedStatement' ? definition.parent.parent : definition.parent;
  const cls = parent?.name === 'Body' ? parent.parent : null;
  if (cls?.name !== 'ClassDefinition' || /\b(NKIObject|Enum)\b/.test(textOf(cls.getChild('ArgList'), text))) return;
  report(cls, `the NKI compiler takes classes that inherit from nl.NKIObject only: ${textOf(cls.getChild('VariableName'), text)} does not`);
}

function comparesNone(is: SyntaxNode): boolean {
  const other = is.nextSibling?.name === 'not' ? is.nextSibling.nextSibling : is.nextSibling;
  return other?.name === 'None' || is.prevSibling?.name === 'None';
}

interface Leaving {
  message: string;
  /** `info` if the name still works, because the version that removes it is not known. */
  severity?: 'info';
}

/** Names that are deprecated in a version but still exist in it, as kernels write them: `nl.affine_range`. */
function namesLeaving(version: string): ReadonlyMap<string, Leaving> {
  const found = new Map<string, Leaving>();
  for (const name of versionedNames) {
    const { deprecated, removed, instead } = versionsOf(name);
    if (!deprecated || compareVersions(version, deprecated) < 0 || (removed && compareVersions(version, removed) >= 0)) continue;
    const [module, short] = name.split('.').slice(-2);
    const spelled = `${SHORT[module] ?? module}.${short}`;
    const until = removed ? `, and NKI ${removed} has it no longer` : '';
    found.set(spelled, {
      message: `${spelled} is deprecated since NKI ${deprecated}${until}: ${instead}`,
      severity: removed ? undefined : 'info',
    });
  }
  return found;
}

/** The names under which kernels import modules. */
const SHORT: Readonly<Record<string, string>> = { language: 'nl', isa: 'nisa' };

function body(definition: SyntaxNode, text: string, report: Report, leaving: ReadonlyMap<string, Leaving>) {
  definition.cursor().iterate(({ node }) => {
    if (node.name === 'AssignOp' && node.parent?.name === 'ArgList') argument(node, text, report);
    if (node.name === 'MemberExpression') member(node, text, report, leaving);
  });
}

/** `nl.affine_range`, `nki.language.affine_range`, `nl.tile_size.total_available_sbuf_size`. */
function member(node: SyntaxNode, text: string, report: Report, leaving: ReadonlyMap<string, Leaving>) {
  const owner = textOf(node.firstChild, text).split('.').at(-1)!;
  const left = leaving.get(`${SHORT[owner] ?? owner}.${textOf(node.lastChild, text)}`);
  if (left) report(node.lastChild!, left.message, left.severity);
}

const ENUMS = ['dge_mode', 'engine', 'oob_mode', 'reduce_cmd'];

/** `name=value` of a call. */
function argument(assign: SyntaxNode, text: string, report: Report) {
  const [name, value] = [textOf(assign.prevSibling, text), assign.nextSibling];
  if (name === 'buffer' && value?.name === 'String')
    report(value, `the NKI compiler does not take names of memories: write nl.${textOf(value, text).slice(1, -1)}`);
  if (ENUMS.includes(name) && value?.name === 'Number')
    report(value, `the NKI compiler does not take numbers for ${name}: write a member of nki.isa.${name}`);
}

const textOf = (node: SyntaxNode | null | undefined, text: string) => (node ? text.slice(node.from, node.to) : '');

/** 1-based. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Position of the first word of a line. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let k = 1; k < line && at >= 0; k++) at = text.indexOf('\n', at) + 1 || -1;
  if (at < 0) return text.length;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}
