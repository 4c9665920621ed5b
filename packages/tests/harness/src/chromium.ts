import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium as users have it. */
const BROWSER = '/usr/bin/chromium';
/** The same engine without the windows, tabs and menus around it, in which a page costs a third of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** The Chromium that tests open pages in: that of TIDEWATCH_TEST_CHROMIUM, Debian's headless shell, or Debian's Chromium. */
export const CHROMIUM = process.env['TIDEWATCH_TEST_CHROMIUM'] || (existsSync(SHELL) ? SHELL : BROWSER);

/** Starts the browser of tests; `args` are further switches. Root may not use its sandbox. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return launch(CHROMIUM, args);
}

/** Starts the browser that users have, to measure in it: that of TIDEWATCH_TEST_CHROMIUM, or Debian's Chromium. */
export function launchWholeChromium(args: readonly string[] = []): Promise<Browser> {
  return launch(process.env['TIDEWATCH_TEST_CHROMIUM'] || BROWSER, args);
}

function launch(executablePath: string, args: readonly string[]): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', ...args],
    timeout: 120_000,
  });
}
