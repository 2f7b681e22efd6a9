// From a click on a bar of the timeline until the editor shows its line, in a real VS Code. Packages dist/ first. NKI_SCOPE_BENCH_BEFORE
// names another package of the extension: its windows take turns with ours.
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const WINDOWS = Number(process.env.NKI_SCOPE_BENCH_WINDOWS ?? 3);
const bench = await hostBench('click');
if (!bench) process.exit(0);
const { clickTimes } = await bench.load('bench/click.drive.ts');

const before = process.env.NKI_SCOPE_BENCH_BEFORE;
const packages = [...(before ? [{ name: 'before', vsix: before }] : []), { name: before ? 'after' : '', vsix: bench.vsix }].map(p => ({
  ...p,
  show: [],
  go: [],
}));
for (let i = 0; i < WINDOWS; i++)
  for (const one of packages) {
    const { show, go } = await clickTimes(one.vsix, bench.log);
    one.show.push(...show);
    one.go.push(...go);
  }

function row(name, clicks) {
  const of = pick => (clicks.some(click => pick(click) === undefined) ? '' : ms(median(clicks.map(pick))));
  const shown = clicks.map(click => click.shown).sort((a, b) => a - b);
  const share = part => ms(shown[Math.floor(part * (shown.length - 1))]);
  return [name, clicks.length, of(c => c.asked), of(c => c.answered), of(c => c.shown), `${share(0.1)} – ${share(0.9)}`, of(c => c.named)];
}

printTable([
  ['click on a bar', 'clicks', 'asked', 'answered', 'line shown', '10 % – 90 %', 'in status bar'],
  ...packages.flatMap(({ name, show, go }) => [
    row(`${name} shows the line`.trim(), show),
    row(`${name} with Ctrl, goes there`.trim(), go),
  ]),
]);
