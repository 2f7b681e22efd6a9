// The accuracy of modelled times as pages: kernels against published times, and recorded profiles replayed. Writes the tables of
// docs/ACCURACY.md, docs/accuracy/ and README.md, whose words are their own, and the figures that profiles quote about themselves.
// Usage: node scripts/accuracy.mjs [--check] [--stored] [--judged] [--sources FOLDER] [--page FILE]...
// --check writes nothing: it fails where a figure that is printed no longer holds. --stored runs no kernel: it fills in what other scripts
// measured and stored, and single instructions. --page: a file that stands for the page of its name, as ACCURACY.md or rows.md.
// Without --judged the tables of bench/fidelity/judged.json stay as they are, which take long. --sources: also recordings replayed, from clones
// in FOLDER (FOLDER/OWNER/NAME); without clones it prints how to get them.
import path from 'node:path';
import { evidence, instructions, refitted, sensitivity, single } from './accuracy/constants.mjs';
import { fitted, judged, replayed } from './accuracy/kernels.mjs';
import { openPages } from './accuracy/pages.mjs';
import { apart, authors, eachAuthor, expected, likelyTimes, order, problems, published } from './accuracy/unseen.mjs';
import { root } from './install.mjs';

const has = name => process.argv.includes(name);
const after = name => process.argv.flatMap((word, k) => (word === name ? [process.argv[k + 1]] : []));
const hardware = name => path.join(root, 'src', 'simulator', 'hardware', `${name}.ts`);
const [sources] = after('--sources');
const { cellsOf, fill, put, stale, write } = openPages({ checking: has('--check'), instead: after('--page') });

if (sources) {
  const { summary, recordings } = replayed(sources);
  fill('replay', summary);
  fill('recordings', recordings);
}
fill('instructions', await instructions());
if (!has('--stored')) {
  const { summary, kernels, figures } = fitted();
  fill('tables', summary);
  fill('kernels', kernels);
  put(hardware('measuredAccuracy'), figures);
  console.log(summary);
}
fill('single', await single());
fill('authors', authors());
fill('eachAuthor', eachAuthor());
fill('order', order());
fill('problems', problems());
const { ranges, file, tellsApart } = likelyTimes();
const { whole, kinds } = apart(tellsApart);
fill('apart', whole);
fill('apartKinds', kinds);
fill('sensitivity', sensitivity());
fill('evidence', evidence());
fill('refitted', refitted());
if (has('--judged')) {
  const { summary, kernels } = judged();
  fill('judged', summary);
  fill('judgedRows', kernels);
}
const { summary: byAuthor, kernels: asPublished } = published();
fill('published', byAuthor);
fill('publishedRows', asPublished);
fill('likely', ranges);
put(hardware('likelyFactors'), file);
fill('expected', expected(cellsOf('likely')));
write();

if (stale.length > 0) {
  console.error(`No longer as printed: ${stale.join(', ')}`);
  process.exitCode = 1;
}
