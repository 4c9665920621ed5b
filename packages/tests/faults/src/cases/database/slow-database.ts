import { setTimeout as sleep } from 'node:timers/promises';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { catchUp, lagTo, logEnds } from '../../check/lag.ts';
import type { FaultCase } from '../../fault-case.ts';

const LOCKED_MS = 60_000;

export const tableLocked: FaultCase = {
  id: '8a',
  fault: 'table of samples locked',
  failpoints: ['samples locked', 'writer fell behind'],
  async run({ installation, times, fired, note }) {
    const { sql } = installation.store;
    const table = (await readSampleLayout(sql)) === 'log' ? 'sample_log' : 'samples';
    await sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`;
      fired('samples locked');
      const ms = times(5_000, LOCKED_MS);
      await sleep(ms);
      const lag = await lagTo(installation, 'writer', await logEnds(installation));
      if (lag > 0n) fired('writer fell behind');
      note(`locked for ${ms / 1_000} s, records behind at its end: ${lag}`);
    });
    note(`caught up ${(await catchUp(installation, 90_000)).toFixed(1)} s after it`);
  },
};

const DELAY_MS = 200;
const SLOW_MS = 30_000;

export const slowDatabase: FaultCase = {
  id: '8b',
  fault: `each message to PostgreSQL delayed by ${DELAY_MS} ms`,
  failpoints: ['statements delayed'],
  async run({ installation, times, fired }) {
    const proxies = (['writer', 'evaluator', 'gateway'] as const).map(installation.proxy);
    for (const proxy of proxies) proxy.delay(DELAY_MS);
    fired('statements delayed');
    await sleep(times(5_000, SLOW_MS));
    for (const proxy of proxies) proxy.delay(0);
  },
};
