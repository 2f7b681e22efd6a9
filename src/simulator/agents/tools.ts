/** The tools that agents have: over MCP, over `serve --json-lines`, and in the editor. A new one is a row here. */
import { SWITCHES } from '../experiments/whatIf';
import { adviceOfRun, compareRuns, whatIfOfRun } from './askRun';
import { checkValues } from './checkValues';
import { CALL, FILE, RUN, TOP } from './fields';
import { checkInput, type InputSchema } from './inputSchema';
import { instruction } from './instruction';
import { linesOfRun, profileKernel } from './profileKernel';
import { sweepKernel } from './sweepKernel';
import type { AgentTool, ToolAnswer, ToolHost } from './tool';
import { ToolError } from './toolError';

const schema = (properties: InputSchema['properties'], required: readonly string[] = []): InputSchema => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});

export const AGENT_TOOLS: readonly AgentTool[] = [
  {
    name: 'profile',
    title: 'Profile an NKI Kernel',
    description:
      'Runs an AWS Neuron NKI kernel on a simulated NeuronCore (no device needed) and returns the modelled time, the hottest source lines with busy engines and waits, and errors with their lines. Without `kernel` the file is run as a script and every kernel call in it is profiled. Use it before and after a change to see whether a kernel became faster. Each run has an id that the other tools take.',
    input: schema({ ...CALL, top: TOP }, ['file']),
    runsKernels: true,
    answer: profileKernel,
  },
  {
    name: 'lines',
    title: 'Read Hot Lines',
    description:
      'Returns the source lines of a profiled run by share of its time, with busy engines, waits by reason, instruction counts and DMA bytes. Runs nothing.',
    input: schema({ ...RUN, top: TOP }),
    runsKernels: false,
    answer: linesOfRun,
  },
  {
    name: 'advise',
    title: 'Advise on a Kernel',
    description:
      'For a profiled run: what bounds the kernel, bounds of its time, and changes that were tried in the model, each with its gain, its lines, the reason and how it is written; `edit` is the change itself where one argument does it. Also what was tried and gains nothing. Runs nothing and changes nothing.',
    input: schema(RUN),
    runsKernels: false,
    answer: adviceOfRun,
  },
  {
    name: 'whatif',
    title: 'Ask What If',
    description: `For a profiled run: times the kernel again with one thing faster, and returns the new time. Name a \`line\`, or a \`resource\`: an engine (Tensor, Vector, Scalar, GpSimd, Sync), DMA, HBM, a queue, or one of ${Object.keys(SWITCHES).join(', ')}. Without either, each resource twice as fast. Runs nothing and changes nothing.`,
    input: schema({
      ...RUN,
      line: { type: 'integer', minimum: 1, description: 'Line of the file.' },
      line_file: { type: 'string', description: 'The file of `line`, where the run has several.' },
      resource: { type: 'string', description: 'Engine, queue, DMA, HBM or switch.' },
      speed: { type: 'number', minimum: 0.01, description: 'How many times as fast; absent: free.' },
    }),
    runsKernels: false,
    answer: whatIfOfRun,
  },
  {
    name: 'compare',
    title: 'Compare Two Runs',
    description: 'Two profiled runs beside each other: in total, and the lines that changed, the largest change first. Runs nothing.',
    input: schema(
      {
        before: { type: 'string', description: 'Id of the run before.' },
        after: { type: 'string', description: 'Id of the run after.' },
      },
      ['before', 'after'],
    ),
    runsKernels: false,
    answer: compareRuns,
  },
  {
    name: 'sweep',
    title: 'Sweep a Kernel',
    description:
      'Times a kernel with every combination of the given values, on all cores, and returns the fastest: parameters, time, likely range, what bounds it, SBUF and PSUM in use, or why it does not run. No point runs twice. Values: "128:512:128" is a range with both ends, "64:1024:*2" doubles, "a,b" is a list.',
    input: schema(
      {
        file: FILE,
        kernel: CALL.kernel,
        args: {
          ...CALL.args,
          description:
            'Arguments of the kernel: a tensor, with sizes to try in braces, as "bf16[128,{512,1024}]" or "bf16[{K},512]" with set K; "{1,2}" are values.',
        },
        set: {
          ...CALL.args,
          description: 'Values of constants that the file assigns at its top level, of parameters, or of sizes: {"TILE_N": "128:512:128"}.',
        },
        target: { type: 'string', description: 'Targets, such as "trn2,trn3".' },
        where: { type: 'string', description: 'Keep the points for which this is true: "a[1] % TILE_N == 0".' },
        sample: { type: 'integer', minimum: 1, description: 'So many points at random instead of all.' },
        top: { type: 'integer', minimum: 1, maximum: 200, description: 'How many rows (12), the fastest first.' },
      },
      ['file'],
    ),
    runsKernels: true,
    answer: sweepKernel,
  },
  {
    name: 'check_values',
    title: 'Check Values',
    description:
      'Whether an edit changes what a kernel computes: runs the file and `text`, its edited version, and compares the outputs bit by bit. Or, with `reference`, how far the outputs are from what that function of the file returns. Tensors of `args` hold random numbers.',
    input: schema(
      {
        ...CALL,
        reference: { type: 'string', description: 'Function of the file that takes the same arguments and returns the expected outputs.' },
      },
      ['file'],
    ),
    runsKernels: true,
    answer: checkValues,
  },
  {
    name: 'instruction',
    title: 'Look Up an Instruction',
    description: 'What a function of nki.isa or nki.language does: parameters, operands and their limits, engines, targets, versions.',
    input: schema({ name: { type: 'string', description: 'Full name or its end: nki.isa.activation, nisa.dma_copy, load.' } }, ['name']),
    runsKernels: false,
    answer: instruction,
  },
];

/** @throws ToolError for a tool that is not there, an input that does not fit, and what the tool says; SimulatorFault */
export async function callTool(name: string, input: unknown, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  const tool = AGENT_TOOLS.find(known => known.name === name);
  if (!tool)
    throw new ToolError('NoTool', `there is no tool ${name}`, { next: `There are ${AGENT_TOOLS.map(known => known.name).join(', ')}.` });
  checkInput(name, tool.input, input);
  return tool.answer(input as never, host, signal);
}
