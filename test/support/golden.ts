/**
 * Golden texts: `test/simulator/golden/NAME.txt`. Run with UPDATE_EXPECT=1 to write what the code prints now; then read the
 * difference before committing it.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

export function expectGolden(name: string, actual: string) {
  const file = path.join(NKI_SCOPE_ROOT, 'test/simulator/golden', `${name}.txt`);
  if (process.env.UPDATE_EXPECT === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, actual);
    return;
  }
  assert.ok(fs.existsSync(file), `no golden ${name}; write it with UPDATE_EXPECT=1`);
  assert.equal(actual, fs.readFileSync(file, 'utf8'));
}
