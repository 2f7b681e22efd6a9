/** A row that is hardly used looks so: what is narrower than a pixel is as high as its share of the pixel's time. */
import assert from 'node:assert/strict';
import { tinyProfile } from '../support/tinyProfile';
import { usingTimeline } from './harness';

/** 4 ns in each microsecond of one row, all of another: one event in each, now two in a pixel, now one. */
const EVENTS = 1500;
const profile = tinyProfile({
  events: Array.from({ length: EVENTS }, (_, i) => i * 1000).flatMap(at => [
    { line: 8, track: 'Scalar' as const, opcode: 'ACTIVATE', ready: at, start: at, end: at + 4 },
    { line: 9, track: 'Vector' as const, opcode: 'ACTIVATE', ready: at, start: at, end: at + 1000 },
  ]),
});

describe('a row of 0.4 % in Chromium', () => {
  const t = usingTimeline(profile);

  /** How far a row's colours are from the background, of the one farthest from it. */
  async function inked(name: string): Promise<number> {
    const [area, row] = [await t.area(), await t.rowBox(name)];
    const part = { x: 0, y: row.y - area.y + 4, width: area.width, height: row.height - 8 };
    return t.find('.tracks canvas.bars').evaluate((node, { x, y, width, height }) => {
      const canvas = node as HTMLCanvasElement;
      const copy = document.createElement('canvas').getContext('2d')!;
      Object.assign(copy.canvas, { width: canvas.width, height: canvas.height });
      copy.drawImage(canvas, 0, 0);
      const ratio = window.devicePixelRatio;
      const { data } = copy.getImageData(x * ratio, y * ratio, width * ratio, height * ratio);
      const background = copy.getImageData(canvas.width - 1, canvas.height - 1, 1, 1).data;
      const apart: number[] = [];
      for (let i = 0; i < data.length; i += 4)
        apart.push(Math.abs(data[i] - background[0]) + Math.abs(data[i + 1] - background[1]) + Math.abs(data[i + 2] - background[2]));
      const most = apart.reduce((a, b) => Math.max(a, b), 1);
      return apart.reduce((a, b) => a + b, 0) / (most * apart.length);
    }, part);
  }

  for (const colorScheme of ['dark', 'light'] as const)
    for (const viewport of [
      { width: 1600, height: 1000 },
      { width: 1280, height: 720 },
    ])
      it(`has little ink in ${colorScheme}, ${viewport.width} px wide`, async () => {
        await t.open({ colorScheme, viewport });
        assert.match(await t.text('.label[data-row="Scalar"] .busy'), /^0.4 %$/);
        const [sparse, full] = [await inked('Scalar'), await inked('Vector')];
        await t.screenshot(`sparse-${colorScheme}-${viewport.width}`);
        assert.ok(full > 0.5, `a full row is full, not ${full}`);
        assert.ok(sparse > 0.01 && sparse < 0.3 * full, `seen, but not solid: ${sparse} of ${full}`);
      });
});
