import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cut, type CuttingProxy, startCuttingProxy } from '@tidewatch/harness/cutting-proxy';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { catchUp } from '../../check/lag.ts';
import type { FaultCase, FaultContext } from '../../fault-case.ts';
import { startConversion } from '../../harness/conversion.ts';
import { within } from '../../harness/wait.ts';
import { requirePastDays, sendPastDays } from './closing.ts';

/** A statement that writes converted days, and the one that changes the layout. */
const DAY_WRITTEN = /copy sample_(days|chunks)/;
const LAYOUT_CHANGED = /update storage_backend set sample_layout = 'log'/;

const MOMENTS: Readonly<Record<string, { where: Cut; of: RegExp }>> = {
  'with days written, before the commit': { where: 'before_commit', of: DAY_WRITTEN },
  'before the commit that changes the layout': { where: 'before_commit', of: LAYOUT_CHANGED },
  'after the commit that changes the layout': { where: 'after_commit', of: LAYOUT_CHANGED },
};
const ENDS_WITHIN_MS = 240_000;

/** Kills a conversion at a given point. */
async function killConversionAt(
  proxy: CuttingProxy,
  name: string,
  log: string,
  { where, of }: { where: Cut; of: RegExp },
): Promise<void> {
  const conversion = startConversion(proxy.url, log);
  const struck = proxy.cut(where, { of, strike: conversion.kill });
  const early = conversion.ended.then((code) => {
    if (code !== null) throw new Error(`the conversion ended with ${code} ${name}:\n${endOf(log)}`);
  });
  await within(`the conversion is killed ${name}`, ENDS_WITHIN_MS, Promise.race([struck, early]));
  await conversion.ended;
}

const endOf = (log: string) => readFileSync(log, 'utf8').slice(-2_000);

async function convert(proxy: CuttingProxy, log: string): Promise<void> {
  const { ended } = startConversion(proxy.url, log);
  const code = await within('the conversion ends', ENDS_WITHIN_MS, ended);
  if (code !== 0) throw new Error(`the conversion ended with ${code}:\n${endOf(log)}`);
}

/** Samples are converted from rows under load; the conversion is killed again and again, and the writer too. */
export const convertedUnderLoad: FaultCase = {
  id: '24',
  fault:
    'rows converted to the log under load: the conversion killed (kill -9) at named moments, the writer too',
  failpoints: [...Object.keys(MOMENTS), 'writer killed', 'converted'],
  shape: { sampleLayout: 'rows', sealIntervalMs: 1_000 },
  async run(context: FaultContext) {
    const { parts, installation, fired, note } = context;
    const sent = await sendPastDays(context, 1);
    await catchUp(installation, 60_000);
    const log = join(parts.home, `${installation.prefix}conversion.log`);
    const proxy = await startCuttingProxy(installation.adminUrl);
    const writer = installation.one('writer');
    try {
      for (const [name, moment] of Object.entries(MOMENTS)) {
        await killConversionAt(proxy, name, log, moment);
        fired(name);
        await writer.kill();
        await writer.start();
        fired('writer killed');
      }
      const began = performance.now();
      await convert(proxy, log);
      note(`the last run of the conversion took ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    } finally {
      await proxy.close();
    }
    if ((await readSampleLayout(installation.store.sql)) === 'log') fired('converted');
    await requirePastDays(context, sent);
  },
};
