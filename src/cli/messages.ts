/** Messages about the user's code, in the form that editors and people both read: `file:line: Kind: message`. */
import path from 'node:path';
import { type Check, exampleText, groupedChecks, groupedMessage, type KernelInfo, type UserError } from '../simulator/index';

/** Relative when that is shorter: what people would type. */
export function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative !== '' && relative.length < file.length ? relative : file;
}

export function errorText(error: UserError): string {
  const where = error.file === null ? '' : `${shortPath(error.file)}:${error.line === null ? '' : `${error.line}:`} `;
  return `${callersText(error.traceback)}${where}${error.kind}: ${error.message}`;
}

/** The traceback's frames when there are several: one alone says no more than the line, and the line itself comes after. */
function callersText(traceback: string | null): string {
  const rows = traceback?.split('\n') ?? [];
  const frames = rows.flatMap((row, i) => (row.startsWith('  File ') ? [i] : []));
  if (frames.length < 2) return '';
  let end = frames[frames.length - 1] + 1;
  while (rows[end]?.startsWith('    ')) end++;
  return `${rows.slice(0, end).join('\n')}\n`;
}

/** A line for each message: what is said of several lines names them. */
export const checkTexts = (checks: readonly Check[]): string[] =>
  groupedChecks(checks).map(group => {
    const { severity, file, line } = group.check;
    return `${shortPath(file)}:${line}: ${severity}: ${groupedMessage(group)}`;
  });

/** How to call the kernels of a file that did not call them itself. */
export function kernelsText(file: string, kernels: KernelInfo[]): string {
  return kernels
    .map(({ name, params }) => {
      const open = params.filter(p => p.default === null).map(p => ` --arg ${p.name}=${quoted(exampleText(p.annotation))}`);
      return `  nki-scope capture ${shortPath(file)} --kernel ${name}${open.join('')}`;
    })
    .join('\n');
}

/** As a shell takes it: without quotes of its own, the text would lose them. */
const quoted = (argument: string) => (argument.includes('"') ? `'${argument}'` : argument);
