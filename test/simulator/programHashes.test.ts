/**
 * Profiles of random programs, held by their hashes in both pipelines on all targets: a change of the compiler or the scheduler that is
 * to change no result changes none of these lines. Needs no Python; `profileHashes.test.ts` does the same for whole kernels.
 */
import { createHash } from 'node:crypto';
import { TARGETS } from '../../src/simulator/hardware/targets';
import { simulate } from '../../src/simulator/simulate';
import { firstLayout } from '../support/firstLayout';
import { expectGolden } from '../support/golden';
import { randomProgram } from '../support/randomPrograms';

const SEEDS = [11, 12];
const INSTRUCTIONS = 200;

describe('profiles of random programs', () => {
  it('are the same as ever, column for column', () => {
    const lines: string[] = [];
    for (const target of TARGETS)
      for (const pipeline of ['literal', 'rewriting'] as const)
        for (const seed of SEEDS) {
          const profile = simulate(randomProgram(seed, INSTRUCTIONS, target), { pipeline });
          const hash = createHash('sha256').update(firstLayout({ ...profile, accuracy: '', likely: undefined }));
          lines.push(`${target} ${pipeline} ${seed} ${hash.digest('hex')}\n`);
        }
    expectGolden('program-hashes', lines.join(''));
  });
});
