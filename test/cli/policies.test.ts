/** The Content-Security-Policy of every page that we make: the served ones, the webview, the exported report, the report of a comparison. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Served, serve } from '../../src/cli/serve';
import { reportHtml as comparisonHtml } from '../../src/extension/compare/reportHtml';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { pageHtml } from '../../src/webview/protocol/page';
import { DIST } from '../support/built';
import { writeReport } from '../support/reportFile';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { ask } from '../support/viewer';

type Policy = Record<string, string[]>;

function parsed(policy: string): Policy {
  const directives = policy.split(';').map(part => part.trim().split(/\s+/));
  assert.equal(new Set(directives.map(([name]) => name)).size, directives.length, 'a directive that comes twice counts once');
  return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources]));
}

/** Of a page's <meta>, which must stand before whatever it governs. */
function inPage(html: string): Policy {
  const [whole, content] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
  assert.ok(whole && content);
  assert.doesNotMatch(html.slice(0, html.indexOf(whole)), /<(script|style|link|base)/);
  return parsed(content.replaceAll('&#39;', "'"));
}

describe('policies of our pages', () => {
  const folder = temporaryFolder();
  const profile = syntheticProfile(50);
  const policies: Record<string, Policy> = {};
  let served: Served;

  before(async () => {
    folder.write('dist/webview/main.js', 'js');
    folder.write('dist/webview/main.css', 'css');
    folder.write('profiles/a.nkiprof', encodeNkiprof(profile));
    const dist = folder.path('dist');
    const shelf = folderShelf(folder.path('profiles'), new Reading({ dist: DIST }));
    served = await serve({ shelf, dist, port: 0 });
    const page = await ask(served, `/profile/${shelf.list()[0].id}`);
    const list = await ask(served, '/');
    policies['the served page, by its header'] = parsed(String(page.headers['content-security-policy']));
    policies['the served page, by itself'] = inPage(page.body.toString());
    policies['the list'] = parsed(String(list.headers['content-security-policy']));
    const file = folder.path('report.html');
    await writeReport(file, dist, 'a', [{ title: 'a', profile }]);
    policies['the exported report'] = inPage(fs.readFileSync(file, 'utf8'));
    const webview = {
      scriptUri: 'https://x.vscode-cdn.net/main.js',
      styleUri: 'https://x.vscode-cdn.net/main.css',
      title: 'a',
      nonce: 'n',
    };
    policies['the webview'] = inPage(pageHtml({ ...webview, cspSource: 'https://*.vscode-cdn.net' }));
    const profiles = ['a', 'b'].map(title => ({ title, profile }));
    policies['the comparison'] = inPage(comparisonHtml({ kernel: 'k', profiles, link: () => 'command:x', nonce: 'n' }));
  });
  after(() => served?.close());

  it('begin with nothing, and let no base, no form and no inline script or style in', () => {
    assert.equal(Object.keys(policies).length, 6);
    for (const [page, policy] of Object.entries(policies)) {
      assert.deepEqual([policy['default-src'], policy['base-uri']], [["'none'"], ["'none'"]], page);
      assert.deepEqual(policy['form-action'], [page === 'the list' ? "'self'" : "'none'"], page);
      assert.doesNotMatch(JSON.stringify(policy), /unsafe-|strict-dynamic|"\*"|"https?:"|blob:/, page);
    }
  });

  it('run one script, by its nonce or hash, or none', () => {
    for (const [page, { 'script-src': scripts = [] }] of Object.entries(policies)) {
      if (['the list', 'the comparison'].includes(page)) assert.deepEqual(scripts, [], page);
      else assert.match(scripts.join(' '), page === 'the exported report' ? /^'sha256-[\w+/]{43}='$/ : /^'nonce-[\w+/=-]+'$/, page);
    }
  });

  it('fetch from the server that gave the page, and nowhere else', () => {
    for (const [page, { 'connect-src': places }] of Object.entries(policies))
      assert.deepEqual(places, page.startsWith('the served page') ? ["'self'"] : undefined, page);
  });

  it('start workers from the script of the server that gave the page, and nowhere else', () => {
    for (const [page, { 'worker-src': scripts }] of Object.entries(policies))
      assert.deepEqual(scripts, page.startsWith('the served page') ? ["'self'"] : undefined, page);
  });

  it('let nobody frame what is served; a <meta> cannot say so', () => {
    for (const page of ['the served page, by its header', 'the list'])
      assert.deepEqual(policies[page]['frame-ancestors'], ["'none'"], page);
  });
});
