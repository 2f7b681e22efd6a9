/** What is written beside hot lines, how hot they are, and the walk among them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { HEAT_LEVELS, heatLevel } from '../../src/extension/hints/heat';
import { hintText, hoverText, mainEngine } from '../../src/extension/hints/hintText';
import { hotLines, neighbour } from '../../src/extension/hints/hotLines';
import { LineTracker } from '../../src/extension/hints/lineTracker';
import { type Line, type LineChange, lines } from '../../src/simulator/index';
import { asShown, HOSTILE_TEXTS, referenced } from '../support/hostileTexts';
import { syntheticProfile } from '../support/syntheticProfile';

const NONE: ReadonlyMap<number, LineChange> = new Map();

declare const NKI_SCOPE_ROOT: string;

const line = (more: Partial<Line>): Line => ({
  file: '/k.py',
  line: 1,
  text: 'x',
  instructions: 1,
  transfers: 0,
  iterations: 0,
  timeNs: 12_345,
  share: 0.451,
  engines: { Vector: 10 },
  stalls: {},
  dmaBytes: 0,
  ...more,
});

describe('hint text', () => {
  it('time, share and the busiest engine', () => assert.equal(hintText(line({})), '12.3 µs · 45 % · Vector'));

  it('queues count once, as DMA', () => {
    const engines = { qSyncIO0: 900, qScalarIO0: 50, DMA: 920, Sync: 30 };
    assert.equal(hintText(line({ engines })), '12.3 µs · 45 % · DMA');
    assert.equal(mainEngine(line({ engines: { qSyncIO0: 5, Vector: 4 } })), 'Vector');
  });

  it('without engines', () => assert.equal(hintText(line({ engines: {} })), '12.3 µs · 45 %'));

  it('with the change since the run before, by arrow and amount', () => {
    const changed = (a: Line | undefined, verdict: LineChange['verdict'], deltaNs: number) =>
      hintText(line({}), { a, b: line({}), deltaNs, verdict });
    assert.equal(changed(line({}), 'better', -3100), '12.3 µs ▼ 3.10 µs · 45 % · Vector');
    assert.equal(changed(line({}), 'worse', 250), '12.3 µs ▲ 250 ns · 45 % · Vector');
    assert.equal(changed(undefined, 'new', 12_345), '12.3 µs new · 45 % · Vector');
    assert.equal(changed(line({}), 'same', 0), '12.3 µs · 45 % · Vector');
  });

  it('the hover names engines, waits and bytes, largest first', () => {
    const one = line({ engines: { Sync: 100, DMA: 2000 }, stalls: { buffer: 10, dma: 300 }, transfers: 2, dmaBytes: 65536 });
    const text = hoverText(one, { kernel: 'k', target: 'trn2', stale: false, timelineLink: 'command:x' });
    assert.match(text, /^\*\*12\.3 µs · 45 %\*\* of `k` on trn2 \(simulated\)/);
    assert.match(text, /1 instruction, 2 DMA transfers, 64 KiB moved/);
    assert.match(text, /^\*\*Busy\*\* DMA 2 µs · Sync 100 ns$/m);
    assert.match(text, /^\*\*Waits, summed\*\* .* 300 ns · buffer in use 10 ns$/m);
    assert.doesNotMatch(text, /edited/);
    assert.match(hoverText(one, { kernel: 'k', target: 'trn2', stale: true, timelineLink: '' }), /edited after this run/);
  });

  it('the hover says what could be done about the line', () => {
    const context = { kernel: 'k', target: 'trn2', stale: false, timelineLink: '', advice: ['Small DMAs: move more per transfer'] };
    const text = hoverText(line({}), context);
    assert.match(text, /^\$\(lightbulb\) Small DMAs&#58; move more per transfer$/m);
    assert.ok(text.indexOf('lightbulb') < text.indexOf('**Busy**'), 'before what a low hover cuts off');
  });

  it('the hover says what the kernel would gain', () => {
    const context = { kernel: 'k', target: 'trn2', stale: false, timelineLink: '', whatIf: { freeShare: -0.18, twiceShare: 0.0001 } };
    assert.match(hoverText(line({}), context), /^\*\*What if\*\* free: −18 % · twice as fast: 0 %$/m);
  });

  it('the hover shows names as text: all signs in them are character references', () => {
    for (const name of HOSTILE_TEXTS) {
      const engines = { [name]: 10 };
      const context = { kernel: name, target: name, stale: false, timelineLink: 'command:x', advice: [name] };
      const text = hoverText(line({ engines }), context);
      const paragraphs = text.split('\n\n');
      const shown = asShown(name);
      assert.equal(
        paragraphs[0],
        `**12.3 µs · 45 %** of ${referenced(shown)} on ${referenced(shown)} (simulated) · [Show in timeline](command:x)`,
      );
      assert.equal(paragraphs[1], `$(lightbulb) ${referenced(shown)}`);
      assert.equal(paragraphs[3], `**Busy** ${referenced(shown)} 10 ns`);
      assert.equal(paragraphs.length, 4, 'no name begins a paragraph');
    }
  });
});

describe('heat', () => {
  it('grows with the share, through every level', () => {
    const levels = Array.from({ length: 101 }, (_, percent) => heatLevel(percent / 100));
    assert.deepEqual([...new Set(levels)], HEAT_LEVELS);
    assert.deepEqual(levels, [...levels].sort());
    assert.deepEqual([0.05, 0.25, 0.5, 1].map(heatLevel), [1, 4, 8, 8], 'in proportion, up to half of the time');
  });

  it('has an icon per level and theme', () => {
    for (const theme of ['dark', 'light'])
      for (const level of HEAT_LEVELS) {
        const icon = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'media/heat', `${theme}-${level}.svg`), 'utf8');
        assert.deepEqual(
          [...icon.matchAll(/ width="([\d.]+)" height="6"/g)].map(match => Number(match[1])),
          [14, (14 * level) / HEAT_LEVELS.length],
        );
      }
  });
});

describe('hot lines', () => {
  const all = [
    line({ line: 9, share: 0.5 }),
    line({ line: 3, share: 0.2 }),
    line({ line: 5, share: 0.001 }),
    line({ line: 7, share: 0, timeNs: 0 }),
  ];
  const tracker = () => LineTracker.fresh(10);

  it('above the threshold, in the order of the file', () => {
    const numbers = (threshold: number) => hotLines(all, NONE, tracker(), threshold, 10).map(hot => hot.now);
    assert.deepEqual(numbers(0), [3, 5, 9]);
    assert.deepEqual(numbers(0.01), [3, 9]);
    assert.deepEqual(numbers(0.6), []);
  });

  it('where the lines are now; gone when they are', () => {
    const moved = tracker();
    moved.apply({ startLine: 3, atLineStart: true, endLine: 5, endsAtLineStart: true, addedLines: 0 });
    assert.deepEqual(
      hotLines(all, NONE, moved, 0, 8).map(hot => [hot.line.line, hot.now]),
      [
        [5, 3],
        [9, 7],
      ],
    );
  });

  it('are walked around the end, both ways', () => {
    const found = hotLines(all, NONE, tracker(), 0, 10);
    const walk = (from: number, step: 1 | -1) => neighbour(found, from, step)?.now;
    assert.deepEqual([walk(1, 1), walk(3, 1), walk(9, 1)], [3, 5, 3]);
    assert.deepEqual([walk(1, -1), walk(9, -1), walk(10, -1)], [9, 5, 9]);
    assert.equal(neighbour([], 1, 1), undefined);
  });

  it('of a profile: shares as the analysis gives them', () => {
    const analysed = lines(syntheticProfile(400, 3));
    const hot = hotLines(analysed, NONE, LineTracker.fresh(20), 0, 20);
    assert.deepEqual(new Set(hot.map(h => h.line)), new Set(analysed.filter(l => l.timeNs > 0)));
  });
});
