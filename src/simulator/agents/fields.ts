/** Fields that the inputs of several tools have. */
import { TARGETS } from '../hardware/targets';
import type { FieldSchema } from './inputSchema';

export const FILE: FieldSchema = { type: 'string', description: 'Python file: absolute, or relative to the workspace folder.' };

/** Which kernel call to run. */
export const CALL = {
  file: FILE,
  text: { type: 'string', description: 'Text to run instead of what is on the disk: try an edit without writing it.' },
  kernel: {
    type: 'string',
    description: 'Kernel function to call. Absent: the file is run as a script, and each kernel call in it is a run.',
  },
  case: { type: 'string', description: 'Arguments of the kernel, by the name of a case in .vscode/nki-scope.json.' },
  args: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    description: 'Arguments of the kernel by parameter: a tensor as "bf16[128,512]", or a plain value.',
  },
  grid: { type: 'array', items: { type: 'integer', minimum: 1 }, description: 'Launch grid.' },
  target: { type: 'string', enum: TARGETS, description: 'NeuronCore to simulate.' },
} as const satisfies Record<string, FieldSchema>;

/** Which profiled run to look at. */
export const RUN = {
  run: { type: 'string', description: 'Id of a run, from `profile`.' },
  file: { type: 'string', description: 'Instead of `run`: a Python file, whose last run is meant.' },
} as const satisfies Record<string, FieldSchema>;

export const TOP: FieldSchema = { type: 'integer', minimum: 1, maximum: 200, description: 'How many lines (12).' };
