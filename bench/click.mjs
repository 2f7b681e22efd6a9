// From a click on a bar of the timeline until the cursor is on its line, in a real VS Code. Packages dist/ first.
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const bench = await hostBench('click');
if (!bench) process.exit(0);
const { clickTimes } = await bench.load('bench/click.drive.ts');
const clicks = await clickTimes(bench.vsix, bench.log);
printTable([
  ['click on a bar', 'clicks', 'line shown', 'range'],
  ['', clicks.length, ms(median(clicks)), `${ms(Math.min(...clicks))} – ${ms(Math.max(...clicks))}`],
]);
