import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { ensurePackedPartitions } from '@tidewatch/store/sample-days/packed-partitions';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { catchUp } from '../../check/lag.ts';
import type { FaultCase } from '../../fault-case.ts';
import { samplesOf, send } from '../../harness/payloads.ts';
import { waitFor } from '../../harness/wait.ts';

/** Buckets are recomputed and old partitions are dropped while late samples for both arrive. */
export const lateWhileDropped: FaultCase = {
  id: '19',
  fault: 'late samples while their buckets are recomputed or sealed, and old partitions are dropped',
  failpoints: ['late samples sent', 'partitions dropped'],
  shape: { environment: { TIDEWATCH_RETENTION_RAW_DAYS: '2' } },
  async run({ installation, random, times, fired, note }) {
    const { sql } = installation.store;
    const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS;
    const isLog = (await readSampleLayout(sql)) === 'log';
    const table = isLog ? 'tidewatch.sample_days' : 'tidewatch.samples';
    const partitions = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from pg_inherits where inhparent = ${table}::regclass`;
      return row?.count ?? 0;
    };
    const day = Math.floor(start / DAY_MS) * DAY_MS - 20 * DAY_MS;
    if (isLog) await ensurePackedPartitions(sql, { sample_days: [day] });
    else
      await sql`select ensure_partition('samples', ${day}::timestamptz, ${day + 10 * DAY_MS}::timestamptz)`;
    const before = await partitions();
    const wanted = new Map<number, number>();
    // Restarts the writer, because each start drops old partitions and creates new ones.
    await installation.one('writer').kill();
    const starting = installation.one('writer').start();
    for (let round = times(40, 150); round > 0; round -= 1) {
      const time = start + Math.floor(random() * 30) * MINUTE_MS + Math.floor(random() * 6) * 10_000;
      const value = Math.floor(random() * 10_000) / 100;
      await send(installation, [{ host: 'late', time, metrics: { cpu_percent: value } }]);
      wanted.set(time, value);
      fired('late samples sent');
    }
    await starting;
    await waitFor('old partitions are dropped', 60_000, async () => (await partitions()) < before);
    fired('partitions dropped');
    await catchUp(installation, 60_000);
    const found = await samplesOf(installation, 'late', 'cpu_percent');
    const wrong = found.filter(({ time, value }) => wanted.get(time) !== value).length;
    if (found.length !== wanted.size || wrong > 0)
      throw new Error(
        `${found.length} of ${wanted.size} late samples are stored, ${wrong} with another value`,
      );
    const [database] = await sql<{ deadlocks: number }[]>`
      select deadlocks::integer from pg_stat_database where datname = current_database()`;
    note(`deadlocks that PostgreSQL ended: ${database?.deadlocks}`);
  },
};
