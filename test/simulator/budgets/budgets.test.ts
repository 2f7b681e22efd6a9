/** Budgets: what is read, and when one is broken. Times are worked out on paper. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Baseline, baselineEntry, formatBaseline, parseBaseline, warningKeys } from '../../../src/simulator/budgets/baseline';
import { type Budget, parseBudgets } from '../../../src/simulator/budgets/budget';
import { BUDGET_RULES, judge, notRun } from '../../../src/simulator/budgets/verdict';
import { budgetsJson, budgetsMarkdown, junitXml, sarif } from '../../../src/simulator/formats/budgetReports';
import { TELLS_APART_PERCENT } from '../../../src/simulator/hardware/likelyFactors';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';

const base = syntheticProfile(300);
const ofTime = (totalTimeNs: number): Profile => ({ ...base, totalTimeNs });
const BUDGET: Budget = { name: 'k', file: 'k.py' };
const rules = (budget: Partial<Budget>, totalNs: number, baseline: Baseline = {}) =>
  judge({ ...BUDGET, ...budget }, ofTime(totalNs), baseline).faults.map(({ rule }) => rule);
const stored = (totalNs: number): Baseline => ({ k: { ...baselineEntry(base), totalNs } });

describe('budgets', () => {
  it('are named by kernel, case and target, and have a limit', () => {
    const [first, second] = parseBudgets([
      { file: 'a.py', kernel: 'k', case: 'small', target: 'trn1', maxUs: 3 },
      { file: 'a.py', name: 'own', maxSlowerPercent: 0 },
    ]);
    assert.deepEqual([first.name, second.name], ['k small trn1', 'own']);
  });

  it('are refused in words that name the part', () => {
    const refused = (value: unknown, message: RegExp) => assert.throws(() => parseBudgets(value), message);
    refused({}, /"budgets" must be a list/);
    refused([{ maxUs: 1 }], /budget 1: "file" is missing/);
    refused([{ file: 'a.py' }], /budget 1: it has no limit/);
    refused(
      [
        { file: 'a.py', maxUs: 1 },
        { file: 'b.py', maxMs: 1 },
      ],
      /budget 2: there is no "maxMs"; there are name, file/,
    );
    refused([{ file: 'a.py', maxUs: -1 }], /"maxUs" must be a number of microseconds/);
    refused([{ file: 'a.py', target: 'gpu', maxUs: 1 }], /"target" must be a target/);
    refused([{ file: 'a.py', case: 'c', maxUs: 1 }], /need "kernel"/);
    refused(
      [
        { file: 'a.py', maxUs: 1 },
        { file: 'a.py', maxUs: 2 },
      ],
      /two have the name a\.py/,
    );
  });

  it('of microseconds are broken from what the model can tell apart on', () => {
    assert.deepEqual(rules({ maxUs: 100 }, 100_000), []);
    assert.deepEqual(rules({ maxUs: 100 }, 99_999 + 1000 * TELLS_APART_PERCENT), []);
    assert.deepEqual(rules({ maxUs: 100 }, 100_000 + 1000 * TELLS_APART_PERCENT), ['over-budget']);
    assert.deepEqual(rules({ maxUs: 0 }, 1), ['over-budget']);
  });

  it('against a baseline are broken by more than is allowed, and by no less than the model can tell apart', () => {
    const slower = (maxSlowerPercent: number, totalNs: number) => rules({ maxSlowerPercent }, totalNs, stored(100_000));
    assert.deepEqual(slower(0, 90_000), []);
    assert.deepEqual(slower(0, 100_000 + 500 * TELLS_APART_PERCENT), []);
    assert.deepEqual(slower(0, 100_000 + 1000 * TELLS_APART_PERCENT), ['slower']);
    const allowed = TELLS_APART_PERCENT + 1;
    assert.deepEqual(slower(allowed, 100_000 + 1000 * allowed), []);
    assert.deepEqual(slower(allowed, 100_001 + 1000 * allowed), ['slower']);
    assert.deepEqual(rules({ maxSlowerPercent: 2 }, 100_000), ['no-baseline']);
  });

  it('never break for a change within the model’s resolution', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.double({ min: -0.5, max: 0.0099 * TELLS_APART_PERCENT, noNaN: true }),
        fc.integer({ min: 0, max: 9 }),
        (ns, change, percent) => {
          const budget = { maxUs: ns / 1000, maxSlowerPercent: percent, noNewWarnings: true };
          assert.deepEqual(rules(budget, ns * (1 + change), stored(ns)), []);
        },
      ),
      { seed: 21 },
    );
  });

  it('tell new warnings from those of lines that moved', () => {
    const keys = warningKeys(base);
    assert.ok(keys.length > 0, 'the profile has warnings');
    const moved: Profile = {
      ...base,
      frames: { ...base.frames, line: base.frames.line.map(line => line + 1) },
      files: base.files.map(file => ({ ...file, text: `# new\n${file.text}` })),
    };
    assert.deepEqual(
      warningKeys(moved).map(({ key }) => key),
      keys.map(({ key }) => key),
    );
    const known = { k: { ...baselineEntry(base), warnings: keys.slice(1).map(({ key }) => key) } };
    const { faults } = judge({ ...BUDGET, noNewWarnings: true }, moved, known);
    assert.deepEqual(
      faults.map(({ rule, message }) => [rule, message]),
      [['new-warning', warningKeys(moved)[0].message]],
    );
  });

  it('fail for errors that the checks found', () => {
    const check = { severity: 'error' as const, message: 'read before it was written', file: '/w/k.py', line: 7 };
    const { faults } = judge({ ...BUDGET, maxUs: 1e9 }, { ...base, checks: [check] }, {});
    assert.deepEqual(faults, [{ rule: 'does-not-run', message: check.message, file: '/w/k.py', line: 7 }]);
  });
});

describe('stored times', () => {
  it('are read as they were written', () => {
    const name = fc.string({ minLength: 1 }).filter(text => text !== '__proto__');
    const entry = fc.record(
      { totalNs: fc.double({ min: 1, max: 1e12, noNaN: true }), warnings: fc.array(fc.string()) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.dictionary(name, entry, { noNullPrototype: true }), baseline => {
        assert.deepEqual(parseBaseline(formatBaseline(baseline)), baseline);
      }),
      { seed: 21 },
    );
  });

  it('are refused in words that name the part', () => {
    assert.throws(() => parseBaseline('{'), /not JSON/);
    assert.throws(() => parseBaseline('[]'), /not an object/);
    assert.throws(() => parseBaseline('{"k": {"total_time_ns": 0}}'), /k: "total_time_ns" must be a number above 0/);
    assert.throws(() => parseBaseline('{"k": {"total_time_ns": 1, "warnings": [1]}}'), /k: "warnings" must be a list of texts/);
  });
});

describe('reports on budgets', () => {
  const kept = judge({ ...BUDGET, name: 'kept', maxUs: 1e9 }, ofTime(50_000), {});
  const slow = judge({ ...BUDGET, name: 'a <b> & "c" | `d`', maxUs: 10, maxSlowerPercent: 1 }, ofTime(50_000), {
    'a <b> & "c" | `d`': { totalNs: 40_000, warnings: [] },
  });
  const given = {
    verdicts: [kept, slow, notRun({ ...BUDGET, name: 'gone' }, 'NameError: \u0001 x', '/w/sub folder/k.py', 3)],
    root: '/w',
    version: '1.2.3',
  };

  it('as JUnit XML: a test case each, well-formed whatever the names are', () => {
    const xml = junitXml(given);
    assert.match(xml, /<testsuite name="NKI Scope budgets" tests="3" failures="2" errors="0">/);
    assert.equal(xml.match(/<testcase /g)!.length, 3);
    assert.deepEqual(
      [...xml.matchAll(/<failure type="([\w-]+)"/g)].map(([, rule]) => rule),
      ['over-budget', 'slower', 'does-not-run'],
    );
    assert.match(xml, /name="a &#60;b&#62; &#38; &#34;c&#34; \| `d`"/);
    assert.ok(!xml.includes('\u0001'));
    // every tag is closed, and nothing else has brackets
    const open: string[] = [];
    for (const [, closing, name, self] of xml.replace(/<\?.*?\?>/, '').matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g))
      if (closing) assert.equal(open.pop(), name);
      else if (!self) open.push(name);
    assert.deepEqual(open, []);
  });

  it('as SARIF: a result for each broken rule, at its line, of a rule that is described', () => {
    const log = JSON.parse(sarif(given));
    const [run] = log.runs;
    assert.deepEqual([log.version, run.tool.driver.version], ['2.1.0', '1.2.3']);
    const described = run.tool.driver.rules.map(({ id }: { id: string }) => id);
    assert.deepEqual(described, Object.keys(BUDGET_RULES));
    assert.ok(run.results.every(({ ruleId }: { ruleId: string }) => described.includes(ruleId)));
    assert.deepEqual(run.results[2].locations[0].physicalLocation, {
      artifactLocation: { uri: 'sub%20folder/k.py', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3 },
    });
  });

  it('as Markdown: a row each, and why', () => {
    const text = budgetsMarkdown(given);
    assert.match(text, /^\*\*Budgets kept: 1 of 3\*\*$/m);
    assert.match(text, /^\| kept \| 50 µs \| 1000 s \| {2}\| {2}\| kept \|$/m);
    assert.match(text, /^\| a &lt;b&gt; & "c" \\\| 'd' \| 50 µs \| 10 µs \| 40 µs \| \+25 % \| \*\*broken\*\* \|$/m);
    assert.match(text, /^- gone: sub folder\/k\.py:3: does-not-run: NameError/m);
  });

  it('as JSON: verdicts with their faults', () => {
    const [first, second] = JSON.parse(budgetsJson(given));
    assert.deepEqual([first.kept, first.total_time_ns, first.faults], [true, 50_000, []]);
    assert.deepEqual([second.kept, second.baseline_ns, second.faults.length], [false, 40_000, 2]);
  });
});
