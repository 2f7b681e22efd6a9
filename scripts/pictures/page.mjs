// Pictures of the page for docs/: kernels are profiled, served as a user would, and each picture is cut to what its text is about.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../../bench/support/build.mjs';
import { findChromium } from '../findChromium.mjs';
import { pack } from './pack.mjs';

const CLI = path.join(root, 'dist/cli.js');
const OUT = path.join(root, 'media/screenshots');
const SIZE = { width: 1100, height: 1000 };
/** Words stay sharp where a page shows a picture smaller than it is. */
const SCALE = 1.5;
const SOFTMAX = ['examples/nki/softmax.py'];
const MATMUL = ['examples/nki/matmul_tiled.py', '--kernel', 'matmul_tiled', '--arg', 'lhs_t=fp32[512,512]', '--arg', 'rhs=fp32[512,2048]'];
const NAN = ['test/workbench/fixture/root_rows.py'];

/** Each: file name, what `capture` gets, and what is done in the page; the result is what is cut out: a part, or from one part to another. */
const PICTURES = [
  ['advice-dark', MATMUL, page => open(page, 'advice', '.rung', 500, () => page.locator('.details'))],
  ['ladder-dark', MATMUL, page => open(page, 'advice', '.rung', 760, () => part(page, 'How good'))],
  ['roofline-dark', MATMUL, page => open(page, 'summary', '.roofline', 760, () => part(page, 'Roofline'))],
  ['what-if-dark', SOFTMAX, whatIf],
  ['causal-dark', MATMUL, causal],
  ['path-dark', SOFTMAX, page => open(page, 'path', 'ol.path', 580, () => page.locator('.details'))],
  ['slack-dark', SOFTMAX, slack],
  ['memory-dark', MATMUL, page => open(page, 'memory', 'canvas.memoryMap', 620, () => page.locator('.details'))],
  [
    'first-nan-dark',
    NAN,
    page => open(page, 'warnings', 'li.warning', 120, () => [page.locator('.stage'), page.locator('li.warning').last()]),
  ],
];

/** The whole page, with the source beside the timeline. */
const WHOLE = [
  ['timeline-page', SOFTMAX, 'details', page => selectBar(page, 'Vector')],
  ['warnings-dark', ['examples/nki/transpose_2d.py'], 'warnings', () => {}],
  [
    'models-dark',
    ['examples/models/transformer_block.py'],
    'layers',
    page => page.locator('.detailsBody header select').selectOption('2'),
    '-launches',
  ],
];
const WHOLE_SIZE = { width: 1400, height: 820 };

/** Chooses the first bar of a row that is found from the left. */
async function selectBar(page, name) {
  const row = await page.locator('.labels .label', { hasText: name }).first().boundingBox();
  const rows = await page.locator('.tracks').boundingBox();
  const tip = page.locator('.tooltip:not([hidden])', { hasText: name });
  for (let x = rows.x + 150; x < rows.x + rows.width && !(await tip.isVisible()); x += 8) {
    await page.mouse.move(x, row.y + row.height / 2 - 6);
    await page.waitForTimeout(60);
  }
  await page.mouse.down();
  await page.mouse.up();
}

async function whatIf(page) {
  await open(page, 'whatIf', '.slider input', 330);
  await page.locator('.slider input').first().focus();
  await page.keyboard.press('End');
  await page.locator('.stackHead').first().waitFor();
  return [page.locator('.stage'), page.locator('.details')];
}

async function causal(page) {
  await open(page, 'whatIf', '.slider input');
  await page.locator('.detailsBody vscode-button', { hasText: 'Time each hot line' }).click();
  await page.locator('.causalCurve').first().waitFor();
  return part(page, 'Causal profile');
}

async function slack(page) {
  await open(page, 'path', 'ol.path', 60);
  await page.locator('.detailsBody vscode-button', { hasText: 'Colour by slack' }).click();
  await page.locator('.tracks').focus();
  await page.keyboard.press('0');
  await page.keyboard.press('0');
  return [page.locator('.stage'), page.locator('.notes')];
}

const RANKS = 'ranks-dark';

/** Each: file name, arguments of the command line whose output is shown; only what follows the last line with `from`. */
const TERMINALS = [
  [
    'precision-dark',
    ['capture', 'scaled_sum.py', '--kernel', 'scaled_sum', '--arg', 'x=fp32[128,2048]', '--precision-report', '--reference', 'mean'],
    /^Relative error/m,
  ],
];

/** Profiles a file, once, and opens it in a page. @param suffix of the profile, where a script has several calls @returns the page, and what ends both */
async function opened(browser, folder, captured, size, suffix = '') {
  const name = path.join(folder, path.basename(captured[0], '.py'));
  const file = `${name}${suffix}.nkiprof`;
  if (!fs.existsSync(file))
    execFileSync(process.execPath, [CLI, 'capture', ...captured, '-s', `${name}.nkiprof`], { cwd: root, stdio: 'ignore' });
  const { url, stop } = await served('-s', file);
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: SCALE, colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(url);
  await page.locator('.app[data-status="ready"]').waitFor();
  await page.locator('.headlineText:not([hidden])').waitFor();
  const close = async () => {
    await page.close();
    stop();
  };
  return { page, close };
}

/** Nothing under the pointer, and what moves is done. */
async function atRest(page) {
  await page.mouse.move(2, 2);
  await page.waitForTimeout(600);
}

/** @param {string} [only] name of one picture */
export async function takePagePictures(only) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-pictures-'));
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    for (const [name, captured, act] of PICTURES.filter(([name]) => !only || name === only)) {
      const { page, close } = await opened(browser, folder, captured, SIZE);
      // the code has its own pictures
      await page.locator('.sourcePane button[title="Hide source"], .sourcePane [aria-label="Hide source"]').first().click();
      const cut = await act(page);
      await atRest(page);
      await shot(page, cut, path.join(OUT, `${name}.png`));
      await close();
      pack(path.join(OUT, `${name}.png`));
    }
    for (const [name, captured, tab, act, suffix] of WHOLE.filter(([name]) => !only || name === only)) {
      const { page, close } = await opened(browser, folder, captured, WHOLE_SIZE, suffix);
      await page.locator(`#tab-${tab}`).evaluate(element => element.click());
      await act(page);
      await atRest(page);
      await page.screenshot({ path: path.join(OUT, `${name}.png`) });
      await close();
      pack(path.join(OUT, `${name}.png`));
    }
    if (!only || only === RANKS) await ranks(browser, folder);
    for (const [name, args, from] of TERMINALS.filter(([name]) => !only || name === only)) await terminal(browser, name, args, from);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** All ranks of a run above one another, with the arrows of its first collective; the whole page. */
async function ranks(browser, folder) {
  const run = path.join(folder, 'ranks');
  fs.mkdirSync(run);
  const script = path.join(root, 'scripts/pictures/late_ranks.py');
  execFileSync(process.execPath, [CLI, 'capture', script, '-s', path.join(run, 'late.nkiprof')], { cwd: root, stdio: 'ignore' });
  const { url, stop } = await served('-d', run);
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(url);
  await page
    .getByRole('link', { name: /rank_0/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'All ranks' }).click();
  await page.locator('.stackHead').nth(3).waitFor();
  await page.locator('table[aria-label="Collectives"] tbody td').first().click();
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `${RANKS}.png`) });
  await page.close();
  stop();
  pack(path.join(OUT, `${RANKS}.png`));
}

async function served(...given) {
  const child = spawn(process.execPath, [CLI, 'view', ...given, '--port', '0'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise(resolve => {
    let said = '';
    child.stdout.on('data', bytes => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  return { url, stop: () => child.kill() };
}

/** @param cut a part of the page, or the first and the last of several below each other */
async function shot(page, cut, file) {
  if (!Array.isArray(cut)) return cut.screenshot({ path: file });
  const [first, last] = await Promise.all(cut.map(one => one.boundingBox()));
  const clip = { x: first.x, y: first.y, width: first.width, height: last.y + last.height - first.y };
  await page.screenshot({ path: file, clip });
}

/** Opens a tab in a drawer of this height. @returns what `found` gives */
async function open(page, id, selector, heightPx = 640, found = () => null) {
  await page.locator(`#tab-${id}`).click();
  await page.locator(selector).first().waitFor();
  const handle = await page.locator('.details .handle').boundingBox();
  const { height } = await page.locator('.details').boundingBox();
  await page.mouse.move(handle.x + 200, handle.y + 3);
  await page.mouse.down();
  await page.mouse.move(handle.x + 200, handle.y + 3 + height - heightPx, { steps: 4 });
  await page.mouse.up();
  return found();
}

const part = (page, heading) => page.locator('.detailsBody section', { has: page.locator('h3', { hasText: heading }) }).last();

/** What the command line prints, in the font and colours of a terminal. */
async function terminal(browser, name, args, from) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: path.join(root, 'scripts/pictures'),
    encoding: 'utf8',
  });
  fs.rmSync(path.join(root, 'scripts/pictures/scaled_sum.nkiprof'), { force: true });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  const text = `$ nki-scope ${args.join(' ')}\n…\n${stdout.slice(stdout.search(from))}`;
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: SCALE });
  await page.setContent(
    '<pre style="display:inline-block;margin:0;padding:14px 18px;background:#1f1f1f;color:#ccc;font:13px monospace"></pre>',
  );
  await page.locator('pre').evaluate((pre, shown) => pre.append(shown), text);
  await page.locator('pre').screenshot({ path: path.join(OUT, `${name}.png`) });
  await page.close();
  pack(path.join(OUT, `${name}.png`));
}
