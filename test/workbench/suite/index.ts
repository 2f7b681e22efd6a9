/**
 * Entry of the suite inside the extension host: runs mocha in this process and leaves a results file, whatever happens. The
 * window's own verdict is not enough: it is "passed" as well when the host was killed.
 */
import fs from 'node:fs';
import Mocha from 'mocha';
import { TEST_LIMIT_MS } from '../../support/patience';
import { measures } from './measures';

export interface Results {
  tests: number;
  passes: number;
  failures: number;
  rows: { title: string; mark: '✔' | '↻' | '✘'; ms: number; error?: string }[];
  /** Printed, never asserted: times belong to the machine. */
  measures: { name: string; value: string }[];
}

export async function run(): Promise<void> {
  const results: Results = { tests: 0, passes: 0, failures: 0, rows: [], measures };
  try {
    const mocha = new Mocha({
      ui: 'bdd',
      timeout: TEST_LIMIT_MS,
      // A window on a busy machine may swallow a key: one more try, which is told.
      retries: 1,
      grep: process.env.NKI_SCOPE_GREP ? new RegExp(process.env.NKI_SCOPE_GREP) : undefined,
      reporter: Mocha.reporters.Base,
    });
    mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
    await import('./tests');
    await new Promise<void>(resolve =>
      record(
        mocha.run(() => resolve()),
        results,
      ),
    );
  } catch (error) {
    results.failures++;
    results.rows.push({ title: 'the suite could not be loaded', mark: '✘', ms: 0, error: stackOf(error) });
  }
  fs.writeFileSync(process.env.NKI_SCOPE_SUITE_RESULTS!, JSON.stringify(results, null, 2));
  if (results.failures > 0) throw new Error(`${results.failures} failed`);
}

function record(runner: Mocha.Runner, results: Results) {
  runner.on('pass', test => {
    results.passes++;
    results.rows.push({ title: test.fullTitle(), mark: '✔', ms: test.duration ?? 0 });
  });
  runner.on('fail', (test, error) => {
    results.failures++;
    results.rows.push({ title: test.fullTitle(), mark: '✘', ms: test.duration ?? 0, error: stackOf(error) });
  });
  runner.on('retry', (test: Mocha.Test, error: unknown) => {
    results.rows.push({ title: test.fullTitle(), mark: '↻', ms: test.duration ?? 0, error: stackOf(error) });
  });
  runner.on('test end', () => results.tests++);
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
