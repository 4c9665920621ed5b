import { existsSync } from 'node:fs';
import { recordPart } from '@tidewatch/harness/parts/report';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium that pages are opened in: that of TIDEWATCH_TEST_CHROMIUM, or Debian's. */
const program = process.env['TIDEWATCH_TEST_CHROMIUM'] || '/usr/bin/chromium';

/** Why suites cannot run here; undefined if they can. */
export const lacksChromium = existsSync(program) ? undefined : `${program} does not exist`;

recordPart({
  name: 'Chromium',
  state: lacksChromium === undefined ? 'given' : 'lacked',
  detail: lacksChromium ?? program,
});

/** Starts the browser; `args` are further switches. Root may not use its sandbox. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: program,
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', ...args],
    timeout: 120_000,
  });
}
