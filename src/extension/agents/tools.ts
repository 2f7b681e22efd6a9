/** The tools for agents as the editor offers them to language models: plain text out. A test holds package.json to their table. */
import path from 'node:path';
import * as vscode from 'vscode';
import { AGENT_TOOLS, type AgentTool, callTool, errorLine, ToolError, type ToolHost } from '../../simulator/index';
import { EditorHost, type EditorHostNeeds } from './editorHost';

/** By the names of package.json. */
export type Tools = Readonly<Record<string, vscode.LanguageModelTool<never>>>;

export const TOOL_PREFIX = 'nki_scope_';

export function tools(parts: EditorHostNeeds): Tools {
  const host = new EditorHost(parts);
  return Object.fromEntries(AGENT_TOOLS.map(tool => [`${TOOL_PREFIX}${tool.name}`, asLanguageModelTool(tool, host)]));
}

function asLanguageModelTool({ name, runsKernels }: AgentTool, host: ToolHost): vscode.LanguageModelTool<never> {
  return {
    ...(runsKernels && { prepareInvocation: ({ input }: { input: { file?: unknown } }) => asking(path.basename(String(input.file))) }),
    invoke: async ({ input }, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const text = await answered(name, input, host, controller.signal);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

const asking = (file: string) => ({
  invocationMessage: `Profiling ${file}`,
  confirmationMessages: {
    title: 'Run an NKI kernel',
    message: `Run ${file} on the simulator? It can read its workspace folder and nothing else.`,
  },
});

/** What is wrong with the kernel or the input is an answer, too. */
async function answered(name: string, input: unknown, host: ToolHost, signal: AbortSignal): Promise<string> {
  try {
    return (await callTool(name, input, host, signal)).text;
  } catch (error) {
    if (error instanceof ToolError) return errorLine(error);
    throw error;
  }
}
