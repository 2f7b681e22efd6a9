/** Texts from elsewhere where VS Code reads markup; and that no source of ours takes another way. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commandUri, labelText, markdownText, noticeText } from '../../src/extension/plainText';
import { asShown, HOSTILE_TEXTS, referenced } from '../support/hostileTexts';

declare const NKI_SCOPE_ROOT: string;

/** As VS Code finds links in notifications (`parseLinkedText`), and icons in labels (`renderLabelWithIcons`). */
const NOTICE_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const LABEL_ICON = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

const sources = (room: string) =>
  fs
    .readdirSync(path.join(NKI_SCOPE_ROOT, 'src', room), { recursive: true })
    .map(name => path.join(room, String(name)).replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ name, text: fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'src', name), 'utf8') }));

const holding = (room: string, what: RegExp) => sources(room).flatMap(({ name, text }) => (what.test(text) ? [name] : []));

describe('texts from elsewhere in VS Code', () => {
  it('are text in Markdown, on one line, letters and digits as they are', () => {
    assert.equal(markdownText('GpSimd 2 µs · Größe'), 'GpSimd 2 µs · Größe');
    assert.equal(markdownText('a\0b\u001bc'), 'a b c');
    for (const text of HOSTILE_TEXTS) assert.equal(markdownText(text), referenced(asShown(text)));
  });

  it('are no links in notifications', () => {
    assert.match(HOSTILE_TEXTS[4], NOTICE_LINK);
    for (const text of [...HOSTILE_TEXTS, '[a](command:x)](command:y)', '[[a](command:x)](file:///x)'])
      assert.doesNotMatch(noticeText(text), NOTICE_LINK);
    assert.equal(noticeText('tile[0] (3 of 4) is [1](2'), 'tile[0] (3 of 4) is [1] (2');
  });

  it('are no icons in labels', () => {
    for (const text of HOSTILE_TEXTS) {
      const shown = labelText(text).replace(LABEL_ICON, (icon, backslash) => (backslash ? icon.slice(1) : '(an icon)'));
      assert.equal(shown, text);
    }
    assert.equal(labelText('$5 (x) $(not an icon)'), '$5 (x) $(not an icon)');
  });

  it('stay inside of the address of a command', () => {
    for (const file of [...HOSTILE_TEXTS, "/a (copy)/it's*~!.py"]) {
      const uri = commandUri('nkiScope.showLine', { file, line: 3 });
      assert.match(uri, /^command:nkiScope\.showLine\?[\w%.-]+$/);
      assert.deepEqual(JSON.parse(decodeURIComponent(uri.slice(uri.indexOf('?') + 1))), [{ file, line: 3 }]);
    }
  });

  it('become markup nowhere: pages are made of elements, the only Markdown is the hover, without HTML and with two commands', () => {
    const sinks = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|setHTML/;
    assert.deepEqual([...holding('webview', sinks), ...holding('extension', sinks)], []);
    assert.deepEqual(holding('extension', /MarkdownString\(/), ['extension/hints/hover.ts']);
    assert.deepEqual(holding('extension', /supportHtml|isTrusted = true/), []);
    assert.deepEqual(holding('extension', /\.isTrusted = \{ enabledCommands: \[SHOW_LINE, COMPARE\] \}/), ['extension/hints/hover.ts']);
    assert.deepEqual(holding('extension', /`command:/), ['extension/plainText.ts'], 'addresses of commands are made in one place');
  });

  it('reach notifications through noticeText', () => {
    const calls = sources('extension').flatMap(({ name, text }) =>
      [...text.matchAll(/show(?:Error|Warning|Information)Message\(\s*(\S[^\n]*)/g)].map(([, argument]) => ({ name, argument })),
    );
    assert.ok(calls.length > 10);
    // a dialog (modal) shows plain text; counts have no markup
    const open = calls.filter(
      ({ argument }) => !/^(noticeText\(|'[^']*'|what,|message,|`[^$]*\$\{runs\.length\}[^$]*`)|modal: true/.test(argument),
    );
    assert.deepEqual(open, []);
  });
});
