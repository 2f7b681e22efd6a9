/** The served list of profiles looks like the timelines that it leads to, and can be read in both colour schemes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { LIST_STYLE } from '../../src/cli/listPage';
import { contrast, parseColour } from '../../src/webview/render/colour';

declare const NKI_SCOPE_ROOT: string;

describe('the style of the list of profiles', () => {
  const theme = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'src/webview/styles/theme.css'), 'utf8');
  const [light, dark] = [...LIST_STYLE.matchAll(/--background: .*/g)].map(([colours]) =>
    Object.fromEntries([...colours.matchAll(/--(\w+): (#\w{6})/g)].map(([, name, colour]) => [name, colour])),
  );

  for (const [scheme, colours, at] of [
    ['light', light, theme.indexOf('html.standalone {')],
    ['dark', dark, theme.indexOf('html.standalone:has(body.vscode-dark)')],
  ] as const)
    it(`has the colours of a served timeline, ${scheme}`, () => {
      const block = theme.slice(at, theme.indexOf('}', at));
      for (const [name, variable] of [
        ['background', 'editor-background'],
        ['text', 'foreground'],
        ['muted', 'descriptionForeground'],
        ['link', 'textLink-foreground'],
        ['line', 'panel-border'],
      ])
        assert.ok(block.includes(`--vscode-${variable}: ${colours[name]};`), name);
      for (const [over, under] of [
        ['text', 'background'],
        ['muted', 'background'],
        ['link', 'background'],
        ['text', 'button'],
      ])
        assert.ok(contrast(parseColour(colours[over])!, parseColour(colours[under])!) >= 4.5, `${over} on ${under}`);
    });
});
