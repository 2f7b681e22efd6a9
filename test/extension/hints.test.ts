/** What is written beside hot lines, how hot they are, and the walk among them. */
import assert from 'node:assert/strict';
import { heatIcon, heatPercent } from '../../src/extension/hints/heat';
import { type HoverLinks, hintText, hoverText, mainEngine } from '../../src/extension/hints/hintText';
import { hotLines, neighbour } from '../../src/extension/hints/hotLines';
import { LineTracker } from '../../src/extension/hints/lineTracker';
import { commandUri } from '../../src/extension/plainText';
import { type Line, type LineChange, lines } from '../../src/simulator/index';
import { asShown, HOSTILE_TEXTS, referenced } from '../support/hostileTexts';
import { syntheticProfile } from '../support/syntheticProfile';

const LINKS: HoverLinks = {
  timeline: 'command:x',
  part: of => commandUri('part', of),
  compare: 'command:compare',
};
/** What is read of it. */
const read = (markdown: string) => markdown.replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1');

const NONE: ReadonlyMap<number, LineChange> = new Map();

const warning = (title: string, advice: string) => ({ rule: 'rule', title, advice });

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
  it('share, time and the busiest engine, the shortest first', () => assert.equal(hintText(line({})), '45 % · 12.3 µs · Vector'));

  it('queues count once, as DMA', () => {
    const engines = { qSyncIO0: 900, qScalarIO0: 50, DMA: 920, Sync: 30 };
    assert.equal(hintText(line({ engines })), '45 % · 12.3 µs · DMA');
    assert.equal(mainEngine(line({ engines: { qSyncIO0: 5, Vector: 4 } })), 'Vector');
  });

  it('a line that moves data is DMA, however long it takes to trigger it', () => {
    const engines = { GpSimd: 900, DMA: 620, qGpSimdDynamic: 620 };
    assert.equal(hintText(line({ engines, transfers: 4 })), '45 % · 12.3 µs · DMA');
    assert.equal(mainEngine(line({ engines: { GpSimd: 900 } })), 'GpSimd');
  });

  it('without engines', () => assert.equal(hintText(line({ engines: {} })), '45 % · 12.3 µs'));

  it('with the change since the run before, by arrow and amount', () => {
    const changed = (a: Line | undefined, verdict: LineChange['verdict'], deltaNs: number) =>
      hintText(line({}), { a, b: line({}), deltaNs, verdict });
    assert.equal(changed(line({}), 'better', -3100), '45 % · 12.3 µs ▼ 3.10 µs · Vector');
    assert.equal(changed(line({}), 'worse', 250), '45 % · 12.3 µs ▲ 250 ns · Vector');
    assert.equal(changed(undefined, 'new', 12_345), '45 % · 12.3 µs new · Vector');
    assert.equal(changed(line({}), 'same', 0), '45 % · 12.3 µs · Vector');
  });

  it('without a change that is smaller than the model can tell apart, which the hover says', () => {
    const change: LineChange = { a: line({}), b: line({}), deltaNs: -12, verdict: 'better', isTooSmall: true };
    assert.equal(hintText(line({}), change), '45 % · 12.3 µs · Vector');
    const hover = read(hoverText(line({}), { kernel: 'k', target: 'trn2', stale: false, links: LINKS, change }));
    assert.match(hover, /^12\.3 µs before the last change: ▼ 12 ns, less than the model can tell apart$/m);
  });

  it('the hover names engines, waits and bytes, largest first', () => {
    const one = line({ engines: { Sync: 100, DMA: 2000 }, stalls: { buffer: 10, dma: 300 }, transfers: 2, dmaBytes: 65536 });
    const text = read(hoverText(one, { kernel: 'k', target: 'trn2', stale: false, links: LINKS }));
    assert.match(text, /^\*\*12\.3 µs · 45 %\*\* of `k` on trn2 \(simulated\)/);
    assert.match(text, /1 instruction, 2 DMA transfers, 64 KiB moved/);
    assert.match(text, /^\*\*Busy\*\* DMA 2 µs · Sync 100 ns$/m);
    assert.match(text, /^\*\*Waits, summed\*\* .* 300 ns · buffer in use 10 ns$/m);
    assert.doesNotMatch(text, /edited/);
    assert.match(hoverText(one, { kernel: 'k', target: 'trn2', stale: true, links: LINKS }), /edited after this run/);
  });

  it('the hover has the whole statement where it goes over several lines', () => {
    const context = { kernel: 'k', target: 'trn2', stale: false, links: LINKS, statement: 'f(a, *b)' };
    assert.equal(hoverText(line({}), context).split('\n\n')[1], referenced('f(a, *b)'));
  });

  it('the hover says what could be done about the line', () => {
    const context = {
      kernel: 'k',
      target: 'trn2',
      stale: false,
      links: LINKS,
      warnings: [warning('Small DMAs', 'move more per transfer')],
    };
    const text = read(hoverText(line({}), context));
    assert.match(text, /^\$\(lightbulb\) Small DMAs&#58; move more per transfer$/m);
    assert.ok(text.indexOf('lightbulb') < text.indexOf('**Busy**'), 'before what a low hover cuts off');
  });

  it('the hover says what the kernel would gain', () => {
    const context = { kernel: 'k', target: 'trn2', stale: false, links: LINKS, whatIf: { freeShare: -0.18, twiceShare: 0.0001 } };
    assert.match(read(hoverText(line({}), context)), /^\*\*What if\*\* free: −18 % · twice as fast: 0 %$/m);
  });

  it('the hover shows names as text: all signs in them are character references', () => {
    for (const name of HOSTILE_TEXTS) {
      const engines = { [name]: 10 };
      const context = { kernel: name, target: name, stale: false, links: LINKS, warnings: [warning(name, name)] };
      const text = read(hoverText(line({ engines }), context));
      const paragraphs = text.split('\n\n');
      const shown = asShown(name);
      assert.equal(paragraphs[0], `**12.3 µs · 45 %** of ${referenced(shown)} on ${referenced(shown)} (simulated) · Show in timeline`);
      assert.equal(paragraphs[1], `$(lightbulb) ${referenced(shown)}${referenced(': ')}${referenced(shown)}`);
      assert.equal(paragraphs[3], `**Busy** ${referenced(shown)} 10 ns`);
      assert.equal(paragraphs.length, 4, 'no name begins a paragraph');
    }
  });
});

describe('heat', () => {
  it('is the share in percent, of any line at least 1', () => {
    assert.deepEqual([0.001, 0.012, 0.5, 0.996, 2].map(heatPercent), [1, 1, 50, 100, 100]);
  });

  it('is a number over a bar that is full from half of the time on, for both themes', () => {
    for (const theme of ['dark', 'light'] as const) {
      let before = 0;
      for (let percent = 1; percent <= 100; percent++) {
        const icon = heatIcon(theme, percent);
        assert.match(icon, new RegExp(`>${percent}</text>`));
        const widths = [...icon.matchAll(/ width="([\d.]+)" height="2.5"/g)].map(match => Number(match[1]));
        assert.equal(widths[0], 15);
        assert.ok(widths[1] >= before, 'never shorter than that of a colder line');
        before = widths[1];
        assert.equal(widths[1] === 15, percent >= 50);
      }
    }
    assert.notEqual(heatIcon('dark', 54), heatIcon('light', 54));
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
