import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { contentSecurityPolicy, pageHtml } from '../../src/webview/protocol/page';
import { CanvasRenderer } from '../../src/webview/render/canvasRenderer';
import { contrast, parseColour, textOn } from '../../src/webview/render/colour';
import { FrameLoop } from '../../src/webview/render/frame';
import { TextFitter } from '../../src/webview/render/labels';
import { RectBatch } from '../../src/webview/render/renderer';
import { buildTheme } from '../../src/webview/render/theme';

declare const NKI_SCOPE_ROOT: string;

/** A context that writes down what it is told. */
function recorder() {
  const log: string[] = [];
  const context = {
    set fillStyle(value: string) {
      log.push(`fill ${value}`);
    },
    set strokeStyle(value: string) {
      log.push(`stroke ${value}`);
    },
    lineWidth: 0,
    fillRect: (...box: number[]) => log.push(`rect ${box}`),
    strokeRect: (...box: number[]) => log.push(`outline ${box}`),
    ...Object.fromEntries(['save', 'beginPath', 'rect', 'clip', 'restore'].map(name => [name, () => {}])),
    setTransform: (...m: number[]) => log.push(`transform ${m}`),
  };
  return { log, context: context as unknown as CanvasRenderingContext2D };
}

describe('webview/render', () => {
  it('draws by style, one colour change each, outlines only where they fit', () => {
    const { log, context } = recorder();
    const renderer = new CanvasRenderer({ width: 0, height: 0 }, context, () => null);
    const batch = new RectBatch();
    batch.add(0, 0, 10, 5, 1);
    batch.add(20, 0, 10, 5, 0);
    batch.add(40, 0, 2, 5, 1);
    renderer.rects(
      batch,
      [
        { fill: 'red', outline: null, hatched: false },
        { fill: 'blue', outline: 'white', hatched: false },
      ],
      { topPx: 0, heightPx: 100 },
    );
    assert.deepEqual(log, [
      'fill red',
      'rect 20,0,10,5',
      'fill blue',
      'rect 0,0,10,5',
      'rect 40,0,2,5',
      'stroke white',
      'outline 0.5,0.5,9,4',
    ]);
  });

  it('keeps all rectangles when the batch grows', () => {
    const batch = new RectBatch();
    for (let i = 0; i < 10_000; i++) batch.add(i, 1, 2, 3, i % 7);
    assert.equal(batch.length, 10_000);
    assert.equal(batch.xPx[9_999], 9_999);
    assert.equal(batch.style[9_999], 9_999 % 7);
  });

  it('runs the phases once per frame, however often a frame is asked for', () => {
    const queued: ((nowMs: number) => void)[] = [];
    const ran: number[] = [];
    const timer = { now: () => 0, measure: () => null as never, clearMeasures: () => {} };
    const loop = new FrameLoop([{ name: 'draw', run: nowMs => ran.push(nowMs) }], callback => queued.push(callback), timer);
    loop.request();
    loop.request();
    assert.equal(queued.length, 1);
    queued.shift()?.(16);
    loop.request();
    queued.shift()?.(32);
    assert.deepEqual(ran, [16, 32]);
  });

  it('fits text, measures each once, cuts with an ellipsis or not at all', () => {
    let measured = 0;
    const fitter = new TextFitter(text => {
      measured++;
      return text.length * 6;
    });
    assert.equal(fitter.fit('ACTIVATE', 60), 'ACTIVATE');
    assert.equal(fitter.fit('ACTIVATE', 40), 'ACTIV…');
    assert.equal(fitter.fit('ACTIVATE', 20), '');
    const before = measured;
    fitter.fit('ACTIVATE', 45);
    assert.equal(measured, before);
  });

  it('in every theme bars stand out from the background, and their text from them', () => {
    const css = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'src/webview/styles/theme.css'), 'utf8');
    const themes = {
      'body.vscode-dark': '#1f1f1f',
      'body.vscode-light': '#ffffff',
      'body.vscode-high-contrast': '#000000',
      'body.vscode-high-contrast-light': '#ffffff',
      'body[data-palette="bright"]:not(.vscode-high-contrast, .vscode-high-contrast-light)': '#1f1f1f',
      'body.vscode-light[data-palette="bright"]': '#ffffff',
    };
    for (const [name, background] of Object.entries(themes)) {
      const start = css.indexOf(`${name} {`);
      const block = css.slice(start, css.indexOf('}', start));
      const variables = new Map([...block.matchAll(/(--[\w-]+): ([^;]+);/g)].map(match => [match[1], match[2]]));
      const theme = buildTheme(variable => (variable === '--scope-background' ? background : (variables.get(variable) ?? '')), false);
      assert.equal(new Set(theme.series).size, 25, `${name}: opcodes and collectives have other colours than everything else`);
      for (const [i, series] of theme.series.entries()) {
        assert.ok(contrast(parseColour(series)!, parseColour(background)!) >= 3, `${name} ${series}`);
        assert.ok(contrast(parseColour(series)!, parseColour(theme.barText[i])!) >= 4.5, `${name} ${series}`);
      }
    }
    for (const [selector, background] of [
      ['body[data-palette="grey"]', '#1f1f1f'],
      ['body:is(.vscode-light, .vscode-high-contrast-light)[data-palette="grey"]', '#ffffff'],
    ]) {
      const start = css.indexOf(`${selector} {`);
      const block = css.slice(start, css.indexOf('}', start));
      const shades = (kind: string) =>
        [...block.matchAll(new RegExp(`--scope-${kind}: (#\\w+);`, 'g'))].map(match => parseColour(match[1])!);
      const opcodes = [...shades('opcode-\\d+'), ...shades('collective')].sort(([a], [b]) => a - b);
      assert.equal(opcodes.length, 17, selector);
      for (const shade of opcodes) assert.ok(contrast(shade, parseColour(background)!) >= 3, `${selector} ${shade}`);
      for (let i = 1; i < opcodes.length; i++)
        assert.ok(contrast(opcodes[i], opcodes[i - 1]) >= 1.08, `${opcodes[i]} and ${opcodes[i - 1]}`);
      assert.equal(new Set([...opcodes, ...shades('series-\\d+')].map(String)).size, 25, `${selector}: other legends have other shades`);
    }
    assert.deepEqual(textOn([255, 255, 255]), [0, 0, 0]);
    assert.deepEqual(parseColour('#abc'), [170, 187, 204]);
    assert.equal(parseColour('var(--x)'), null);
  });
});

describe('webview/protocol/page', () => {
  const options = { scriptUri: '/main.js', styleUri: '/main.css', cspSource: "'self'", nonce: 'abc', title: 'a <b> & "c"' };

  it('escapes, and carries no inline script or style', () => {
    const html = pageHtml({ ...options, profileUrl: '/api/profile/"><script>' });
    assert.ok(html.includes('<title>a &lt;b&gt; &amp; &quot;c&quot;</title>'));
    assert.ok(!html.includes('"><script>'));
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.ok(!html.includes('<style'));
  });

  it('allows nothing unsafe, and connections only where a profile is fetched', () => {
    const policy = contentSecurityPolicy(options);
    assert.ok(!/unsafe|\*|connect-src/.test(policy));
    assert.ok(policy.startsWith("default-src 'none'"));
    assert.ok(contentSecurityPolicy({ ...options, profileUrl: '/p' }).includes("connect-src 'self'"));
  });
});
