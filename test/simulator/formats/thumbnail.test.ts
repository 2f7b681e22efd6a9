/** The picture of a profile in a list: how busy each row was, column by column. */
import assert from 'node:assert/strict';
import { thumbnailSvg } from '../../../src/simulator/formats/thumbnail';
import { simulateRanks } from '../../../src/simulator/simulateRanks';
import { rankProgram } from '../../support/ranks';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const rects = (svg: string) =>
  [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="\d+" fill="([^"]+)" opacity="([\d.]+)"\/>/g)].map(
    ([, x, y, width, fill, opacity]) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      fill,
      opacity: Number(opacity),
    }),
  );

describe('a profile’s thumbnail', () => {
  it('has a row for each engine that ran, and one for DMA', () => {
    const svg = thumbnailSvg(
      tinyProfile({
        events: [
          { line: 1, track: 'Vector', ready: 0, start: 0, end: 480 },
          { line: 2, track: 'Scalar', ready: 480, start: 480, end: 960 },
        ],
        dmas: [{ line: 1, ready: 0, start: 240, end: 480, bytes: 64 }],
        body: [0, 960],
      }),
    );
    assert.deepEqual(
      rects(svg).map(({ x, width, opacity }) => [x, width, opacity]),
      [
        [0, 48, 1],
        [48, 48, 1],
        [24, 24, 1],
      ],
    );
    assert.equal(new Set(rects(svg).map(({ y }) => y)).size, 3);
  });

  it('is lighter where a row was busy for a part of the time', () => {
    const events = Array.from({ length: 96 }, (_, i) => ({
      line: 1,
      track: 'Vector' as const,
      ready: i * 10,
      start: i * 10,
      end: i * 10 + 5,
    }));
    assert.deepEqual(
      rects(thumbnailSvg(tinyProfile({ events, body: [0, 960] }))).map(({ x, width, opacity }) => [x, width, opacity]),
      [[0, 96, 0.5]],
    );
  });

  it('is the same each time, small, and empty for a profile without a body', () => {
    const p = syntheticProfile(3000);
    assert.equal(thumbnailSvg(p), thumbnailSvg(p));
    assert.ok(thumbnailSvg(p).length < 64_000);
    assert.deepEqual(rects(thumbnailSvg(tinyProfile({ events: [] }))), []);
  });

  it('has a row of its own for the collectives of a rank', () => {
    const whole = rankProgram(['work', ['all_reduce', 0, 1]]);
    const [p] = simulateRanks([0, 1].map(() => ({ whole, cores: [whole] })));
    assert.match(thumbnailSvg(p), /fill="#c026c0"/);
    assert.doesNotMatch(thumbnailSvg(syntheticProfile(80)), /fill="#c026c0"/);
  });
});
