/** The browser that tests, benches and pictures drive, headless. */
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/findChromium.mjs';

/** `webgl`: with WebGL drawn by the CPU (SwiftShader); without, there is none. */
export async function launchBrowser({ webgl = false } = {}): Promise<Browser> {
  const executablePath = findChromium();
  try {
    return await chromium.launch({
      executablePath,
      headless: true,
      args: [
        '--no-sandbox',
        ...(webgl ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] : ['--disable-gpu']),
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  } catch (error) {
    throw new Error(`Chromium did not start (${executablePath ?? 'not found'}): install chromium, or set CHROMIUM to its path.\n${error}`);
  }
}
