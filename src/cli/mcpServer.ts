/** The MCP protocol over standard input and output, by its official SDK. Bundled by itself as `dist/mcpServer.js`; `mcp.ts` loads it. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';

/** As the protocol has it. Its schema is wider than ours. */
export type ServedTool = Omit<Tool, 'inputSchema'> & { inputSchema: object };

export interface McpGiven {
  name: string;
  version: string;
  /** For the model. */
  instructions: string;
  tools: readonly ServedTool[];
  /** @param signal aborts when the client cancels the request */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<{ text: string; data: Record<string, unknown>; isError: boolean }>;
}

/** @returns when it listens. `closed`: the client's end of the input is closed. */
export async function serveMcp({ name, version, instructions, tools, call }: McpGiven) {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [...tools] as Tool[] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { text, data, isError } = await call(params.name, params.arguments ?? {}, signal);
    return { content: [{ type: 'text', text }], structuredContent: data, isError };
  });
  // the SDK's transport does not watch for the end of its input
  const closed = new Promise<void>(resolve => process.stdin.once('end', resolve).once('close', resolve));
  await server.connect(new StdioServerTransport());
  return { closed, close: () => server.close() };
}
