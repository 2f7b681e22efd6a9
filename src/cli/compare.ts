/** `compare`: two profiles beside each other, in total and line by line; fails a build when the second is slower. */
import { type Comparison, comparisonJson, comparisonMarkdown } from '../simulator/index';
import { comparisonText } from './comparisonText';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { readOptions, text } from './options';
import { profileNames } from './profileNames';
import { fileSources, readIn } from './reading';

export const compare: CliCommand = {
  summary: 'two profiles line by line; for continuous integration, too',
  help: `nki-scope compare BEFORE.nkiprof AFTER.nkiprof [options]

Lines belong together that say the same, wherever they stand; then lines that do the same on the same tensors or at the same place in
the loops. Others are listed as gone or new. Largest change first.

  --fail-above PCT   exit with 1 when AFTER's total time is more than PCT percent above BEFORE's
  --all              also the lines whose time is the same
  --markdown         a table for a pull request's comment
  --json             {total: {a_ns, b_ns, delta_percent}, too_small_to_tell, a, b, unpaired: {a, b}, lines: [...]}

  nki-scope compare main.nkiprof branch.nkiprof --fail-above 2
`,
  async run(argv, context) {
    const { terminal } = context;
    const { values, positionals } = readOptions('compare', argv, {
      'fail-above': { type: 'string' },
      all: { type: 'boolean' },
      markdown: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    if (positionals.length !== 2) throw new UsageError('compare: name two profiles, the one before and the one after');
    const limit = percent(text(values, 'fail-above'));
    const comparison = await readIn(context, 'compare', fileSources(...positionals));
    const [before, after] = profileNames(positionals);
    const names = { before, after };
    const all = values.all === true;
    // Before anything is written: a reader that goes away changes no verdict.
    const tooSlow = limit !== undefined && isAbove(comparison, limit);
    if (values.json) terminal.out(jsonText(comparisonJson(comparison)));
    else terminal.out(`${values.markdown ? comparisonMarkdown(comparison, names, { all }) : comparisonText(comparison, names, all)}\n`);
    if (tooSlow) terminal.log(`compare: ${(comparison.deltaShare * 100).toFixed(2)} % slower, more than the ${limit} % allowed`);
    return tooSlow ? EXIT.failed : EXIT.done;
  },
};

function percent(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given.replace(/\s*%$/, ''));
  if (given.trim() === '' || !Number.isFinite(value)) throw new UsageError(`--fail-above ${given}: a number of percent`);
  return value;
}

/** A decimal limit is rarely a sum of powers of two: the comparison is in millionths of a percent. */
const isAbove = ({ deltaShare }: Comparison, limitPercent: number) => Math.round(deltaShare * 1e8) > Math.round(limitPercent * 1e6);
