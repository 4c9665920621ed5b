import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beginConversion, switchToLog } from '@tidewatch/store/sample-conversion/conversion-state';
import { readSampleState } from '@tidewatch/store/sample-log/sample-layout';
import { expect, it } from 'vitest';
import { readLoggedSamples } from '../testing/logged-samples.ts';
import { openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
const { sql, database } = await storeForFile({ sampleLayout: 'rows' });
const harness = await openForFile(openHarness(database.url, NOW));

const payload = (second: number) => ({
  host: 'web-01',
  time: NOW + second * 1_000,
  ...metricsOf({ n: second }),
});
const stored = async () => {
  const rows = await sql<{ n: number }[]>`select v0 as n from samples order by 1`;
  const logged = await readLoggedSamples(sql);
  return { rows: rows.map(({ n }) => n), logged: [...logged.values()].sort((a, b) => a - b) };
};

it('each change of the layout waits for a transaction of a writer, and counts for the next one', async () => {
  await harness.send([payload(1)]);
  const change = async (second: number, to: () => Promise<void>) => {
    const before = await readSampleState(sql);
    let changed: Promise<void> | undefined;
    await harness.sendAround([payload(second)], async () => {
      changed = to();
      await expect
        .poll(() => sql`select from pg_locks where locktype = 'advisory' and not granted`)
        .toHaveLength(1);
      expect(await readSampleState(sql)).toEqual(before);
    });
    await changed;
  };
  await change(2, () => beginConversion(sql));
  await harness.send([payload(3)]);
  expect(await stored()).toEqual({ rows: [1, 2, 3], logged: [3] });
  await change(4, () => switchToLog(sql));
  await harness.send([payload(5)]);
  expect(await stored()).toEqual({ rows: [1, 2, 3, 4], logged: [3, 4, 5] });
  await harness.writer.settle();
  const [live] = await sql`select last_sample_at from service_live`;
  expect(live).toEqual({ last_sample_at: NOW + 5_000 });
});
