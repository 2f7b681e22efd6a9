/** Tables with the source of every instruction: call stack and loop iterations. */
import { instructionRows } from '../../analyze/eventAccess';
import { framePosition, hasSource } from '../../analyze/places';
import { upperBound } from '../../columns/search';
import type { Profile } from '../../profile/profile';
import type { ParquetTable } from './encode';

/** Key of KernelInstructions: the program's instruction, and which of its machine instructions. */
export function kernelInstructionNames(p: Profile): (row: number) => string {
  return row => `inst.${p.instructions.origin[row]}:${row}`;
}

export function kernelTables(p: Profile): ParquetTable[] {
  return [kernelInstructions(p), stackFrames(p), iterationVariables(p)];
}

function kernelInstructions(p: Profile): ParquetTable {
  const { frame, iteration } = p.instructions;
  const frameDepth = depths(p.frames.parent);
  const loopDepth = depths(p.iterations.parent);
  const known = (row: number) => hasSource(p, frame[row]);
  return {
    name: 'KernelInstructions',
    rows: instructionRows(p),
    columns: {
      kernel_instruction_name: kernelInstructionNames(p),
      stack_frame_id: row => (known(row) ? frame[row] : null),
      stack_frame_depth: row => (known(row) ? frameDepth[frame[row]] : 0),
      iteration_variables_id: row => (iteration[row] < 0 ? null : iteration[row]),
      iteration_variable_depth: row => (iteration[row] < 0 ? 0 : loopDepth[iteration[row]]),
      pcore_idx: row => p.tracks[p.instructions.track[row]].core ?? 0,
      file_path: row => (known(row) ? framePosition(p, frame[row]).file : null),
      line_number: row => (known(row) ? framePosition(p, frame[row]).line : null),
    },
  };
}

/** Entries from each one out to the outermost, itself included. */
function depths(parent: Int32Array): Uint32Array {
  const depth = new Uint32Array(parent.length);
  // a parent comes before its children
  for (let k = 0; k < parent.length; k++) depth[k] = 1 + (parent[k] < 0 ? 0 : depth[parent[k]]);
  return depth;
}

function stackFrames(p: Profile): ParquetTable {
  const { parent, file, function: name } = p.frames;
  const defined = definitionLines(p);
  return {
    name: 'KernelStackFrames',
    rows: parent.length,
    columns: {
      stack_frame_id: row => row,
      fully_qualified_function_name: row => p.strings[name[row]],
      parent_stack_frame_id: row => (parent[row] < 0 ? null : parent[row]),
      pcore_idx: () => 0,
      file_path: row => p.files[file[row]].path,
      line_number: row => defined[row],
    },
  };
}

/** Line of the `def` above each frame's line; null when there is none, as for code of a module. */
function definitionLines(p: Profile): (number | null)[] {
  const defined = p.files.map(({ text }) => definitions(text));
  return Array.from(p.frames.line, (line, frame) => {
    const name = p.strings[p.frames.function[frame]].split('.').pop()!;
    const lines = defined[p.frames.file[frame]].get(name) ?? [];
    return lines[upperBound(lines, line) - 1] ?? null;
  });
}

/** Lines on which each function of a Python text is defined, ascending, by its name. */
function definitions(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [k, line] of text.split(/\r\n|\r|\n/).entries()) {
    const name = /^\s*(?:async\s+)?def\s+(\w+)/.exec(line)?.[1];
    if (name === undefined) continue;
    const known = found.get(name);
    if (known) known.push(k + 1);
    else found.set(name, [k + 1]);
  }
  return found;
}

function iterationVariables(p: Profile): ParquetTable {
  const { parent, name, value, line } = p.iterations;
  // a loop has no file; it is certain only if there is one file
  const file = p.files.length === 1 ? p.files[0].path : null;
  return {
    name: 'KernelIterationVariables',
    rows: parent.length,
    columns: {
      iteration_variable_id: row => row,
      variable_name: row => p.strings[name[row]],
      variable_value: row => value[row],
      parent_iteration_variable_id: row => (parent[row] < 0 ? null : parent[row]),
      pcore_idx: () => 0,
      file_path: () => file,
      line_number: row => line[row],
    },
  };
}
