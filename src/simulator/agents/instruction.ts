/** `instruction`: what a function of NKI does, from its row of the instruction table. */
import { MACHINES } from '../hardware/machines';
import { instructionTable } from '../isa/table';
import type { InstructionRow, OperandRule } from '../isa/types';
import { versionsOf } from '../isa/versions';
import type { ToolAnswer } from './tool';
import { ToolError } from './toolError';

/** Names that a wrong one may have meant. */
const MOST_LIKE = 8;

export async function instruction({ name }: { name: string }): Promise<ToolAnswer> {
  const rows = rowsOf(name);
  if (rows.length === 0) throw new ToolError('NoInstruction', `there is no function ${name}`, { next: likeText(name) });
  const data = rows.map(rowJson);
  return { data: { instructions: data }, text: rows.map((row, k) => rowText(row, data[k])).join('\n\n') };
}

/** By the full name, or by its end: `isa.activation`, `nl.load`, `activation`. */
function rowsOf(name: string): InstructionRow[] {
  const spelled = name
    .replace(/^neuronxcc\./, '')
    .replace(/^nl\./, 'nki.language.')
    .replace(/^nisa\./, 'nki.isa.');
  const exact = instructionTable.filter(row => row.name === spelled);
  return exact.length > 0 ? exact : instructionTable.filter(row => row.name.endsWith(`.${spelled}`));
}

function likeText(name: string): string {
  const last = name.split('.').at(-1)!.toLowerCase();
  const words = last.split('_').filter(word => word.length > 2);
  const like = instructionTable.filter(row => words.some(word => row.name.split('.').at(-1)!.includes(word))).map(row => row.name);
  return like.length > 0
    ? `Similar names: ${like.slice(0, MOST_LIKE).join(', ')}.`
    : 'docs/API.md lists all functions: nki.isa.NAME and nki.language.NAME.';
}

function rowJson(row: InstructionRow) {
  const { since, deprecated, removed, instead } = versionsOf(row.name);
  return {
    name: row.name,
    summary: row.summary,
    signature: row.signature,
    operands: Object.fromEntries(Object.entries(row.operands).map(([name, rule]) => [name, operandText(rule)])),
    attributes: row.attributes,
    engines: row.engines,
    targets: MACHINES.filter(({ instructionSet }) => row.generations.includes(instructionSet)).map(({ instanceType }) => instanceType),
    since,
    ...(deprecated && { deprecated }),
    ...(removed && { removed }),
    ...(instead && { instead }),
    source: row.source,
  };
}

const ROLES: Readonly<Record<OperandRule['role'], string>> = {
  out: 'written',
  inout: 'read and written',
  in: 'read',
  scalar: 'a number, or a tensor of one value per partition',
  index: 'indices',
};

function operandText({ role, spaces, dtypes, optional }: OperandRule): string {
  const limits = [spaces && `in ${spaces.join(' or ')}`, dtypes && `of ${dtypes.join(', ')}`, optional && 'optional'];
  return [ROLES[role], ...limits.filter(Boolean)].join(', ');
}

function rowText({ name, summary, signature }: InstructionRow, json: ReturnType<typeof rowJson>): string {
  return [
    `${name}: ${summary}`,
    ...Object.entries(signature).map(([dialect, list]) => `${dialect}: ${name.split('.').at(-1)}${list}`),
    ...Object.entries(json.operands).map(([operand, text]) => `${operand}: ${text}`),
    `engines: ${json.engines.join(', ')}; targets: ${json.targets.join(', ')}`,
  ].join('\n');
}
