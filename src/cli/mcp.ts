/** `mcp`: the tools as an MCP server on standard input and output, for agents. The protocol is the SDK's, in a bundle of its own (`mcpServer.ts`). */
import { once } from 'node:events';
import { AGENT_TOOLS, callTool, errorJson, errorLine, ToolError } from '../simulator/index';
import { sayIfOpen } from './confinement';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import type { ServedTool } from './mcpServer';
import { readOptions } from './options';
import { EngineHost } from './toolHost';
import { hostOptions, ROOT_OPTION, TOOLS_ROOT_HELP } from './toolOptions';
import { productVersion } from './version';

const INSTRUCTIONS = `NKI Scope times AWS Neuron NKI kernels on a simulated NeuronCore, in milliseconds and without a device.
Call profile on a kernel, then advise with the id of the run. Try an edit with profile and check_values, whose text argument is the edited file: nothing
is written. Times are modelled: a difference that compare calls too small to tell is none.`;

export const mcp: CliCommand = {
  summary: 'an MCP server on standard input and output, for agents',
  help: `nki-scope mcp [--root DIR]

Tools: ${AGENT_TOOLS.map(({ name }) => name).join(', ')}. Ends with its input.

${TOOLS_ROOT_HELP}

An agent starts it itself. Most read a list of servers in JSON:

  {"mcpServers": {"nki-scope": {"command": "node", "args": ["dist/cli.js", "mcp"]}}}

  nki-scope mcp --root ~/kernels
`,
  async run(argv, context) {
    const { values, positionals } = readOptions('mcp', argv, ROOT_OPTION);
    if (positionals.length > 0) throw new UsageError(`mcp: ${positionals[0]}? Requests come on standard input`);
    const { terminal, dist, signal } = context;
    const host = new EngineHost({ ...hostOptions(values, context), onSandbox: sayIfOpen(terminal.log), onOutput: terminal.err });
    try {
      // at run time: other commands do not load it
      const { serveMcp } = await import('./mcpServer.js');
      const server = await serveMcp({
        name: 'nki-scope',
        version: productVersion(dist),
        instructions: INSTRUCTIONS,
        tools: AGENT_TOOLS.map(
          (tool): ServedTool => ({
            name: tool.name,
            title: tool.title,
            description: tool.description,
            inputSchema: tool.input,
            annotations: { readOnlyHint: true, openWorldHint: false },
          }),
        ),
        call: async (name, input, stopped) => {
          try {
            const { data, text } = await callTool(name, input, host, stopped);
            return { text, data, isError: false };
          } catch (error) {
            if (error instanceof ToolError) return { text: errorLine(error), data: { error: errorJson(error) }, isError: true };
            throw error;
          }
        },
      });
      await Promise.race([server.closed, signal.aborted ? undefined : once(signal, 'abort')]);
      await server.close();
    } finally {
      host.close();
    }
    return EXIT.done;
  },
};
