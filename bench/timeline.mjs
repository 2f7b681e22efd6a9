// The timeline in Chromium (timeline.bench.ts), bundled and run. Needs Chromium (scripts/findChromium.mjs).
import { runBundled } from './support/runBundled.mjs';

await runBundled('timeline');
