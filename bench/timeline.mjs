// The timeline in Chromium (timeline.bench.ts), bundled and run. Needs Chromium: CHROMIUM, or /usr/bin/chromium.
import { runBundled } from './support/runBundled.mjs';

await runBundled('timeline');
