// Where a Chromium is that tests, benches and pictures can drive.
import fs from 'node:fs';

/** Debian's own build without the windows of a browser comes first: a page opens in half the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of the browser to drive, or undefined. `CHROMIUM` names another one. */
export const findChromium = () => [process.env.CHROMIUM, ...PLACES].find(place => place && fs.existsSync(place));
