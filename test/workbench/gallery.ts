/**
 * What a user meets, state by state, in each theme and at two sizes of the window, for whoever changes what is visible: pictures in
 * `out/gallery/`, and a page of them. Nothing is asserted here; the drive tests do that.
 */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../support/browser';
import { inWindow, type Size, settle, THEMES } from './harness/inWindow';
import { Timeline } from './harness/timeline';
import type { Window } from './harness/window';

const SIZES: Size[] = [
  { width: 1600, height: 1000 },
  { width: 1280, height: 720 },
];
const TABS = ['summary', 'advice', 'whatIf', 'lines', 'opcodes', 'flame', 'path', 'memory', 'tensors', 'warnings', 'events'];

interface Stage {
  window: Window;
  timeline: Timeline;
  workspace: string;
  /** @param name of the state */
  shot: (name: string) => Promise<void>;
  /** With the pointer where it is. */
  shotAsIs: (name: string) => Promise<void>;
}

interface State {
  /** What is asked for: a file of the workspace is opened and profiled first. */
  file?: string;
  show: (stage: Stage) => Promise<void>;
}

async function profiled({ window, timeline }: Stage, file: string): Promise<void> {
  await window.command('View: Close All Editors');
  await window.openFile(file);
  await window.command('NKI Scope: Profile Kernel');
  await timeline.untilPainted();
}

/** Also one that there is no room for, which is in a list. */
function pressTab({ timeline }: Window, id: string): Promise<void> {
  return timeline.locator(`#tab-${id}`).evaluate((element: HTMLElement) => element.click());
}

/** A kernel with a note on its line 11. */
const NOTED = `import neuronxcc.nki as nki
import neuronxcc.nki.language as nl
import numpy as np


@nki.jit
def turned(x, w):
    out = nl.ndarray((128, 512), dtype=x.dtype, buffer=nl.shared_hbm)
    left = nl.load(x)
    right = nl.load(w)
    nl.store(out, nl.matmul(left, right))
    return out


turned(np.ones((128, 128), dtype=np.float32), np.ones((128, 512), dtype=np.float32))
`;

const SBUF_ERROR = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def too_much(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    left = nl.ndarray(a.shape, dtype=nl.float32, buffer=nl.sbuf)
    right = nl.ndarray(a.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=a)
    nisa.dma_copy(dst=right, src=a)
    nisa.tensor_tensor(dst=left, data1=left, data2=right, op=nl.add)
    nisa.dma_copy(dst=out, src=left)
    return out


too_much(np.zeros((128, 32768), dtype=np.float32))
`;

const STATES: Record<string, State> = {
  'first view': { file: 'matmul_tiled.py', show: ({ shot }) => shot('first view') },
  tabs: {
    async show({ window, timeline, shot }) {
      for (const tab of TABS) {
        await pressTab(window, tab);
        await window.page.waitForTimeout(tab === 'advice' || tab === 'whatIf' ? 4000 : 500);
        await shot(`tab ${tab}`);
      }
      await timeline.tab('summary').catch(() => {});
    },
  },
  'selected bar': {
    async show({ timeline, shot, shotAsIs }) {
      await timeline.hoverBar('GpSimd');
      await shotAsIs('hovered bar');
      await timeline.clickHere();
      await shot('selected bar');
    },
  },
  search: {
    async show({ window, shot }) {
      const field = window.timeline.locator('.search input').first();
      await field.fill('MATMUL');
      await field.press('Enter');
      await shot('search');
    },
  },
  'long lines': { file: 'long_lines.py', show: ({ shot }) => shot('long lines') },
  'calls of a script': {
    file: 'calls_scaled.py',
    async show({ window, shot }) {
      await shot('calls of a script');
      await window.command('NKI Scope: Show All Kernel Calls');
      await shot('all calls');
    },
  },
  'two cores': { file: 'two_cores.py', show: ({ shot }) => shot('two cores') },
  registers: { file: 'chosen_blocks.py', show: ({ shot }) => shot('registers') },
  'four ranks': {
    file: 'four_ranks.py',
    async show({ window, shot }) {
      await shot('four ranks');
      await window.timeline.locator('.rankLinks button').first().click();
      await window.timeline.locator('.stackHead').nth(3).waitFor();
      await pressTab(window, 'ranks');
      await window.timeline.locator('table[aria-label="Collectives"] tbody td').first().click();
      await shot('all ranks');
    },
  },
  'late ranks': {
    file: 'late_ranks.py',
    async show({ window, shot }) {
      await window.timeline.locator('.rankLinks button').first().click();
      await window.timeline.locator('.stackHead').nth(3).waitFor();
      await pressTab(window, 'ranks');
      await window.timeline.locator('table[aria-label="Collectives"] tbody td').first().click();
      await shot('late ranks');
    },
  },
  'script goes on': {
    async show({ window, timeline, shot }) {
      await window.command('View: Close All Editors');
      await window.openFile('long_check.py');
      await window.command('NKI Scope: Profile Kernel');
      await timeline.untilPainted();
      await shot('script goes on');
      await window.command('NKI Scope: Cancel');
      await shot('cancelled');
    },
  },
  inputs: {
    async show({ window, shot }) {
      await window.command('View: Close All Editors');
      await window.openFile('add_module.py');
      await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).click();
      await window.pageWith('h1:text("Inputs of add_tiles")');
      await shot('inputs');
    },
  },
  errors: {
    async show({ window, workspace, shot }) {
      fs.writeFileSync(path.join(workspace, 'too_much.py'), SBUF_ERROR);
      for (const file of ['unknown_call.py', 'too_much.py']) {
        await window.command('View: Close All Editors');
        await window.openFile(file);
        await window.command('NKI Scope: Profile Kernel');
        await window.page.locator('.editor-instance .squiggly-error').first().waitFor();
        await shot(`error of ${file}`);
        await window.command('Notifications: Clear All Notifications');
      }
    },
  },
  note: {
    async show(stage) {
      const { window, workspace, shot } = stage;
      fs.writeFileSync(path.join(workspace, 'turned.py'), NOTED);
      await profiled(stage, 'turned.py');
      for (const tab of ['warnings', 'events']) {
        await pressTab(window, tab);
        await shot(`note ${tab}`);
      }
    },
  },
  comparison: {
    async show(stage) {
      const { window, workspace, shot } = stage;
      await profiled(stage, 'softmax.py');
      const file = path.join(workspace, 'softmax.py');
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('(512, 2048)', '(512, 1024)'));
      await window.page.waitForTimeout(1500);
      await profiled(stage, 'softmax.py');
      await window.command('NKI Scope: Compare with Last Saved Run').catch(() => {});
      await shot('comparison');
    },
  },
  'Profiles view': {
    async show({ window, shot }) {
      await window.command('Focus on Profiles View');
      await shot('Profiles view');
    },
  },
};

export interface GalleryOptions {
  vsix: string;
  log: string;
  /** Kernels that are copied into the workspace. */
  kernels: string[];
  out: string;
  /** Of states; undefined: all. */
  only?: RegExp;
  /** A name of `THEMES`; undefined: all. */
  theme?: string;
}

export async function takeGallery({ vsix, log, kernels, out, only, theme: wanted }: GalleryOptions): Promise<void> {
  const browser = await launchBrowser();
  fs.rmSync(out, { recursive: true, force: true });
  try {
    for (const [themeName, theme] of Object.entries(THEMES).filter(([name]) => !wanted || name === wanted))
      for (const size of SIZES)
        await inWindow(browser, { vsix, log, theme, files: kernels }, async (window, workspace) => {
          await window.page.setViewportSize(size);
          window.page.setDefaultTimeout(30_000);
          const folder = path.join(out, `${size.width}-${themeName}`);
          const shotAsIs = async (name: string) => {
            await window.page.screenshot({ path: path.join(folder, `${name.replaceAll(' ', '-')}.png`) });
          };
          const shot = async (name: string) => {
            await settle(window, size, 700);
            await shotAsIs(name);
          };
          await window.command('View: Toggle Primary Side Bar Visibility');
          await takeStates({ window, timeline: new Timeline(window), workspace, shot, shotAsIs }, only);
        });
  } finally {
    await browser.close();
  }
}

async function takeStates(stage: Stage, only: RegExp | undefined): Promise<void> {
  for (const [name, { file, show }] of Object.entries(STATES)) {
    if (only && !only.test(name)) continue;
    try {
      if (file) await profiled(stage, file);
      await show(stage);
    } catch (error) {
      // the others are worth looking at all the same
      console.error(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      await stage.shot(`failed ${name}`);
    }
  }
}
