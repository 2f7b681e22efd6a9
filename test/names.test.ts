/** One meaning per name: a type that is exported has a name that no other exported type has. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sourcesIn } from './support/importGraph';

declare const NKI_SCOPE_ROOT: string;

const SRC = path.join(NKI_SCOPE_ROOT, 'src');
const DECLARATION = /^export (?:abstract )?(?:class|interface|type|enum) +(\w+)/gm;

/** The page may not import the simulator's folders that these come from: it says the shapes of the answers again. */
const SAID_AGAIN = new Set(['Advice', 'AdviceReport', 'CausalLine', 'ExperimentAsked', 'Rung', 'Wish']);

describe('names', () => {
  it('gives every exported type a name of its own', () => {
    const files = new Map<string, string[]>();
    for (const file of sourcesIn(SRC))
      for (const [, name] of fs.readFileSync(path.join(SRC, file), 'utf8').matchAll(DECLARATION))
        files.set(name, [...(files.get(name) ?? []), file]);
    assert.ok(files.size > 500, `only ${files.size} types found`);
    assert.deepEqual(
      [...files].filter(([name, all]) => all.length > 1 && !SAID_AGAIN.has(name)),
      [],
    );
  });
});
