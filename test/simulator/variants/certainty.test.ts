/** What a sweep says of the fastest setting: as much as the likely ranges and the model can tell apart. */
import assert from 'node:assert/strict';
import { sweepText } from '../../../src/cli/sweep';
import { SMALL_MARK_MEANS, TOO_SMALL } from '../../../src/simulator/analyze/tellsApart';
import { certainty, certaintyText } from '../../../src/simulator/variants/certainty';
import type { VariantRow } from '../../../src/simulator/variants/table';

const row = (index: number, totalTimeNs: number | null, likelyNs: [number, number] | null = null): VariantRow => ({
  ...{ index, parameters: { TILE: index }, totalTimeNs, likelyNs, bound: 'TensorE', instructions: 1, checksums: [] },
  ...{ floorNs: null, sbufPeakBytes: 1, psumPeakBytes: 1, error: totalTimeNs === null ? 'does not run' : null },
});

describe('the fastest of some settings', () => {
  it('is not called faster than one that the model cannot tell from it', () => {
    const close = [row(0, 10_050), row(1, 10_000), row(2, null)];
    assert.match(
      certaintyText(certainty(close)!),
      new RegExp(`0\\.5 % longer, ${TOO_SMALL}\\. No likely range on hardware is known here\\.$`),
    );
    assert.match(sweepText(close), /10\.1 µs +≈ \+0\.5 %/);
    assert.ok(sweepText(close).includes(SMALL_MARK_MEANS));
    const far = [row(0, 12_000), row(1, 10_000)];
    assert.ok(!certaintyText(certainty(far)!).includes(TOO_SMALL));
    assert.ok(!sweepText(far).includes('≈'));
  });

  it('may be another one on hardware where likely ranges overlap', () => {
    const ranges = (next: [number, number]) => certaintyText(certainty([row(0, 10_000, [9_000, 13_000]), row(1, 15_000, next)])!);
    assert.match(
      ranges([12_900, 20_000]),
      /One other setting has a likely range that overlaps with its range: on hardware any of them may/,
    );
    assert.match(ranges([13_100, 20_000]), /No likely range of another setting overlaps/);
  });
});
