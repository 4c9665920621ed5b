import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { CONTRACT_RETENTION, type StoreUnderTest } from '@tidewatch/store/backends/store.contract';
import { DELETED_HOST } from '@tidewatch/store/series/contract/series-model.fixture';
import { describeSeriesReader } from '@tidewatch/store/series/contract/series-reader.contract';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { storedSnapshots } from '@tidewatch/store/snapshots/stored-snapshots';
import { describe, expect } from 'vitest';
import { openStoreUnderTest } from '../store.harness.ts';
import { withLists } from './answers.harness.ts';
import { convert, convertAndEnd } from './interrupted-conversion.harness.ts';

const SEED = 5;
/** After how many transactions the conversion begins, and after how many it has to be done. */
const BEGINS_AT = 6;
const ENDS_AT = 17;

/** How long snapshots are kept, ms. */
const KEPT_MS = CONTRACT_RETENTION.snapshots * DAY_MS;

describe('a database that is converted to a log while samples are stored and questions are answered', () => {
  const random = createRandom(SEED);
  describeSeriesReader('plain', storedSeries, () => openConverting(random), createRandom);
});

async function openConverting(random: () => number): Promise<StoreUnderTest> {
  const database = await startDatabaseOf('rows');
  const under = await openStoreUnderTest(database, { sealIntervalMs: 100 + random() * 400 });
  /** The processes of each host and time. */
  const lists = new Map<string, unknown>();
  let converted: Promise<unknown> | undefined;
  let transactions = 0;

  let commits = 0;
  let isConverted = false;
  const committed = () => {
    commits += 1;
  };

  /** Lets the conversion go on while nothing is sent. */
  async function passes(some: number): Promise<void> {
    for (const wanted = commits + some; !isConverted && commits < wanted; ) await sleep(2);
  }

  async function convertWithInterruptions(): Promise<void> {
    for (const most of [2, 4, 6]) {
      const count = Math.ceil(random() * most);
      await convertAndEnd(database, under.now(), { kind: 'after transactions', count }, committed);
    }
    await convertAndEnd(database, under.now(), { kind: 'killed', ms: random() * 25 }, committed);
    const { days } = await convert(database, under.now(), { committed });
    expect(days).toBeGreaterThan(0);
    expect(await under.admin`select from tidewatch.samples limit 1`).toHaveLength(0);
  }

  return {
    ...under,
    async send(payloads) {
      const sent = withLists(payloads, random);
      await under.send(sent);
      for (const { host, time, processes } of sent)
        if (processes !== undefined && host !== DELETED_HOST && time > under.now() - KEPT_MS)
          lists.set(`${host} ${time}`, processes);
      transactions += 1;
      if (transactions === BEGINS_AT) {
        converted = convertWithInterruptions().finally(() => {
          isConverted = true;
        });
        converted.catch(() => undefined);
      }
      if (transactions > BEGINS_AT) await passes(1 + Math.floor(random() * 3));
      if (transactions === ENDS_AT) await converted;
    },
    async close() {
      expect(transactions).toBeGreaterThanOrEqual(ENDS_AT);
      await converted;
      expect(lists.size).toBeGreaterThan(100);
      expect(await readLists(under)).toEqual(lists);
      await under.close();
    },
  };
}

/** Reads the processes of each host and time. */
async function readLists({ sql, organizationId, now }: StoreUnderTest): Promise<Map<string, unknown>> {
  const services = await sql<{ id: string; host: string }[]>`
    select id, host from services where deleted_at is null order by host`;
  const spans = services.map(({ id }) => ({
    organizationId,
    serviceId: id,
    from: now() - KEPT_MS,
    to: now() + DAY_MS,
  }));
  const found = await storedSnapshots.lists(sql, spans, 'processes');
  return new Map(
    found.flatMap((own, place) =>
      own.map(({ time, list }) => [`${services[place]?.host} ${time}`, list] as const),
    ),
  );
}
