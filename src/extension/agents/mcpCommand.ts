/** How VS Code starts our MCP server: the editor's own program, as Node. */
import path from 'node:path';

/** As in package.json. */
export const MCP_PROVIDER = 'nkiScope.mcp';

/** @param folder the workspace folder that kernels are read from; undefined: none is open */
export function mcpCommand(extensionPath: string, folder: string | undefined) {
  const cli = path.join(extensionPath, 'dist', 'cli.js');
  const root = folder === undefined ? [] : ['--root', folder];
  return { command: process.execPath, args: [cli, 'mcp', ...root], env: { ELECTRON_RUN_AS_NODE: '1' } };
}
