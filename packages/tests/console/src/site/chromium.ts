import { existsSync } from 'node:fs';
import { CHROMIUM } from '@tidewatch/harness/chromium';
import { recordPart } from '@tidewatch/harness/parts/report';

/** Why suites cannot run here; undefined if they can. */
export const lacksChromium = existsSync(CHROMIUM) ? undefined : `${CHROMIUM} does not exist`;

recordPart({
  name: 'Chromium',
  state: lacksChromium === undefined ? 'given' : 'lacked',
  detail: lacksChromium ?? CHROMIUM,
});
