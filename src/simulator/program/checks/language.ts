/**
 * Python that runs here, where kernels are ordinary Python, and that the NKI compiler does not take. Looks at the text of the
 * functions that recorded something. Only what the documents name is reported (aws-neuron-sdk nki/migration/index.rst "NKI
 * 0.3.0"). Since NKI 0.7 kernels are traced as ordinary Python: `is`, dictionaries and classes of any kind are taken.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { instructionTable } from '../../isa/table';
import type { CheckedProgram, Rule, Warnings } from './checkedProgram';

type Report = (node: SyntaxNode, message: string) => void;

export function language(checked: CheckedProgram, warnings: Warnings): Rule {
  const { p } = checked;
  return {
    end() {
      if (p.dialect !== 'nki') return;
      for (const [file, functions] of recording(checked).entries()) {
        const { path, text } = p.files[file];
        const report: Report = (node, message) => warnings.addAt(path, lineAt(text, node.from), message);
        const tree = parser.parse(text);
        const seen = new Set<number>();
        for (const { name, position, isKernel } of functions.map(f => ({ ...f, position: lineStart(text, f.line) }))) {
          const found = definition(tree, text, name, position);
          if (!found || seen.has(found.from)) continue;
          seen.add(found.from);
          if (isKernel) signature(found, text, report);
          body(found, text, report);
        }
      }
    },
  };
}

interface Recording {
  name: string;
  /** A line inside it. */
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

/** What a kernel's parameter list must not hold. */
function signature(definition: SyntaxNode, text: string, report: Report) {
  const list = definition.getChild('ParamList');
  for (const star of list?.getChildren('*') ?? [])
    if (star.nextSibling?.name === ',') report(star, 'the NKI compiler does not take keyword-only parameters (*) of a kernel');
  for (const value of list?.getChildren('ArrayExpression') ?? [])
    report(value, `the NKI compiler does not take a list as an argument of a kernel: make ${textOf(value, text)} a tuple`);
}

/** By short name: functions that the newest version does not have. They run here: older kernels have them. */
const removed = new Map(
  instructionTable.flatMap(({ name, versions }): [string, string][] => {
    if (!versions?.removed) return [];
    const [module, short] = name.split('.').slice(-2);
    const spelled = `${module === 'language' ? 'nl' : 'nisa'}.${short}`;
    return [[short, `NKI ${versions.removed} has no ${spelled}: ${versions.instead}`]];
  }),
);

function body(definition: SyntaxNode, text: string, report: Report) {
  definition.cursor().iterate(({ node }) => {
    if (node.name === 'AssignOp' && node.parent?.name === 'ArgList') argument(node, text, report);
    if (node.name === 'CallExpression') call(node, text, report);
  });
}

/** A function by its last name, as in `nl.dynamic_range(...)`. */
function call(node: SyntaxNode, text: string, report: Report) {
  const callee = node.firstChild;
  const name = callee?.name === 'MemberExpression' ? callee.lastChild : callee;
  const why = removed.get(textOf(name, text));
  if (why) report(name!, why);
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
