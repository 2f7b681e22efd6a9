/**
 * The call stacks of the program around a kernel: an instruction names the frame that it comes from (`stack_frame_ids`), and four tables say
 * what its file, function, line and caller are.
 */
import { type CapturedSource, MOST_FRAMES } from './rows';
import { type FileRow, optionalAmount, text } from './values';

/** Rows of the tables. */
export interface StackTables {
  frames: readonly FileRow[];
  locations: readonly FileRow[];
  files: readonly FileRow[];
  functions: readonly FileRow[];
}

type Stack = CapturedSource['stack'];

/** @returns the stack of a frame by its id, innermost first; empty for one that the tables do not have. */
export function frameworkStacks({ frames, locations, files, functions }: StackTables): (id: string) => Stack {
  const byId = (rows: readonly FileRow[]) => new Map(rows.map(row => [text(row, 'id'), row]));
  const [frameOf, locationOf, fileOf, functionOf] = [frames, locations, files, functions].map(byId);
  const name = (rows: ReadonlyMap<string, FileRow>, id: string) => text(rows.get(id) ?? {}, 'name');
  const known = new Map<string, Stack>();
  return id => {
    let stack = known.get(id);
    if (stack) return stack;
    stack = [];
    // a cycle ends it
    for (let row = frameOf.get(id); row && stack.length < MOST_FRAMES; row = frameOf.get(text(row, 'parent_frame_id'))) {
      const at = locationOf.get(text(row, 'file_location_id')) ?? {};
      const file = name(fileOf, text(at, 'file_name_id'));
      if (file !== '')
        stack.push({ file, line: optionalAmount(at, 'line_number'), function: name(functionOf, text(at, 'function_name_id')) });
    }
    known.set(id, stack);
    return stack;
  };
}

/** Of several frames, which fused operations have, the first: a list as a text (`[101, 102]`) or of texts. Empty: none. */
export function firstFrame(ids: unknown): string {
  const list = Array.isArray(ids) ? ids.join(' ') : typeof ids === 'bigint' || typeof ids === 'number' ? String(ids) : ids;
  return typeof list === 'string' ? (/\d+/.exec(list)?.[0] ?? '') : '';
}

/** A kernel's own stack in that of the program that called it; a position that both have is there once. */
export function withCallers(own: Stack, around: Stack): Stack {
  const outer = own[own.length - 1];
  const isSame = outer && around[0] && around[0].file === outer.file && around[0].line === outer.line;
  // the program's stack has the function's name
  return isSame ? [...own.slice(0, -1), ...around] : [...own, ...around];
}
