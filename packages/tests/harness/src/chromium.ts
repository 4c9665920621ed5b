import { type Browser, chromium } from 'playwright-core';

/** The Chromium that pages are opened in: that of TIDEWATCH_TEST_CHROMIUM, or Debian's. */
export const CHROMIUM = process.env['TIDEWATCH_TEST_CHROMIUM'] || '/usr/bin/chromium';

/** Starts the browser; `args` are further switches. Root may not use its sandbox. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', ...args],
    timeout: 120_000,
  });
}
