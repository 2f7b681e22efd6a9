// All ranks of a run on one page in Chromium (ranks.bench.ts), bundled and run. Needs Chromium (scripts/findChromium.mjs).
import { runBundled } from './support/runBundled.mjs';

await runBundled('ranks');
