import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { terminologyMarkdown } from '../../../src/simulator/formats/summaryText';

declare const NKI_SCOPE_ROOT: string;

const PAGE = path.join(NKI_SCOPE_ROOT, 'docs/metrics.md');

describe('docs/metrics.md', () => {
  it('is what the table of metrics says (UPDATE_EXPECT=1 writes it)', () => {
    if (process.env.UPDATE_EXPECT === '1') fs.writeFileSync(PAGE, terminologyMarkdown());
    assert.equal(fs.readFileSync(PAGE, 'utf8'), terminologyMarkdown());
  });
});
