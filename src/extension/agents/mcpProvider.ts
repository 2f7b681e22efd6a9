/**
 * Tells VS Code of our MCP server, so that agents which do not use the editor's tools find it: `dist/cli.js mcp`, run by the editor's own Node.
 * VS Code has this API since 1.101; in an older one nothing is registered.
 */
import * as vscode from 'vscode';
import { workspaceFolderPath } from '../run/workspaceRoot';
import { MCP_PROVIDER, mcpCommand } from './mcpCommand';

/** What VS Code 1.101 adds to the types that we compile against. */
interface McpApi {
  lm: {
    registerMcpServerDefinitionProvider?(id: string, provider: { provideMcpServerDefinitions(): unknown[] }): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (label: string, command: string, args: string[], env: Record<string, string>, version: string) => unknown;
}

export function registerMcpServer({ extension }: vscode.ExtensionContext): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  if (!lm.registerMcpServerDefinitionProvider || !McpStdioServerDefinition) return [];
  const provideMcpServerDefinitions = () => {
    // nothing runs in a workspace that is not trusted
    if (!vscode.workspace.isTrusted) return [];
    const { command, args, env } = mcpCommand(extension.extensionPath, workspaceFolderPath());
    return [new McpStdioServerDefinition('NKI Scope', command, args, env, String(extension.packageJSON.version))];
  };
  return [lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, { provideMcpServerDefinitions })];
}
