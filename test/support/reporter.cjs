// mocha's spec reporter that also tells what was tried again, and leaves its counts and its failures in the file named by NKI_SCOPE_RESULTS.
const fs = require('node:fs');
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    let repeatedTests = 0;
    const failures = [];
    runner.on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: String(error?.message ?? error) }));
    runner.on('retry', (test, error) => {
      repeatedTests++;
      console.error(`    ↻ ${test.title}: tried again after ${error.message}`);
    });
    runner.once('end', () => {
      const { passes, pending } = runner.stats;
      if (process.env.NKI_SCOPE_RESULTS)
        fs.writeFileSync(
          process.env.NKI_SCOPE_RESULTS,
          JSON.stringify({ passed: passes, failed: runner.stats.failures, skipped: pending, repeatedTests, failures }),
        );
    });
  }
};
