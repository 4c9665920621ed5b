import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawSeqs, readEndedSeq } from '../../sample-log/seal-lock.ts';
import { type Snapshot, writeSnapshots } from '../../samples/write-snapshots.ts';
import { appendSnapshots } from '../packed/append-snapshots.ts';
import { packedSnapshots } from '../packed/packed-snapshots.ts';
import { sealLog } from '../packed/seal-log.ts';
import { createRowSnapshots } from '../rows/row-snapshots.ts';
import type { SnapshotReader, SnapshotSpan } from '../snapshot-reader.ts';
import { HOSTS, randomSnapshots, SnapshotModel } from './snapshot-model.fixture.ts';

const SEEDS = [1, 2];
const TRANSACTIONS = 120;
/** The number of moments of a stream at which questions are asked. */
const MOMENTS = 6;
const QUESTIONS = 6;
const NOW = Date.UTC(2026, 10, 29, 2, 30);

interface ContractDatabase {
  url: string;
  adminUrl: string;
  close(): Promise<void>;
}

/**
 * Tests that readers of rows and of packed snapshots answer as a naive model, on random streams that are stored in both layouts and sealed at
 * random. `createRandom` makes a generator of numbers from 0 to below 1.
 */
export function describeSnapshotReaders(
  backend: string,
  start: () => Promise<ContractDatabase>,
  createRandom: (seed: number) => () => number,
): void {
  describe(`${backend}: readers of snapshots`, () => {
    const buffer = new BinaryRows();
    let database: ContractDatabase;
    let store: Store;
    let admin: Store;
    let sql: Sql;

    beforeAll(async () => {
      database = await start();
      store = openStore({ url: database.url });
      admin = openStore({ url: database.adminUrl, max: 1 });
      sql = store.sql;
      await admin.sql`insert into organizations (id, name) values ('org_a', 'a')`;
      for (const day of [NOW - 24 * HOUR_MS, NOW])
        await admin.sql`
          select ensure_partition('snapshots', date_trunc('day', ${day}::timestamptz, 'UTC'),
            date_trunc('day', ${day}::timestamptz, 'UTC') + interval '1 day')`;
    });
    beforeEach(async () => {
      await admin.sql`truncate snapshots, snapshot_log, snapshot_chunks`;
      await admin.sql`delete from services`;
      await admin.sql`
        insert into services (organization_id, id, host, first_seen, status_since)
        select 'org_a', id, id, now(), now() from unnest(${[...HOSTS]}::text[]) as id`;
    });
    afterAll(async () => {
      await store?.close();
      await admin?.close();
      await database?.close();
    });

    const send = (snapshots: readonly Snapshot[]) =>
      sql.begin(async (tx) => {
        await writeSnapshots(tx, snapshots, buffer);
        const [seq = 0] = await drawSeqs(tx);
        await appendSnapshots(tx, seq, snapshots);
      });
    const seal = (maxBytes: number) => sealLog(sql, { bound: readEndedSeq, maxBytes });
    const counts = async () => {
      const [row] = await sql`
        select (select count(*) from snapshot_log)::int as log, (select count(*) from snapshot_chunks)::int as chunks`;
      return row;
    };

    it.each(SEEDS)('answer as a naive model at any moment, for streams of seed %i', async (seed) => {
      const random = createRandom(seed);
      const model = new SnapshotModel();
      for (const [index, snapshots] of randomSnapshots(random, NOW, TRANSACTIONS).entries()) {
        await send(snapshots);
        model.add(snapshots);
        if (random() < 0.1) await seal(random() < 0.5 ? 1_000 : 1_000_000);
        if (index % (TRANSACTIONS / MOMENTS) !== 0) continue;
        for (let question = 0; question < QUESTIONS; question += 1) {
          const spans = randomSpans(random);
          const moment = `seed ${seed}, transaction ${index}, question ${question}`;
          for (const [name, reader] of Object.entries(READERS)) {
            const compared = await answers(sql, reader, model, spans, random);
            for (const [what, { found, expected }] of Object.entries(compared))
              expect(found, `${moment}: ${what} of ${name}`).toEqual(expected);
          }
        }
      }
      await seal(1_000_000);
      expect(await counts()).toMatchObject({ log: 0, chunks: expect.any(Number) });
      const all = HOSTS.map((serviceId) =>
        spanOf(serviceId, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      );
      const chunked = await packedSnapshots.lists(sql, all, 'processes');
      expect(chunked).toEqual(all.map((span) => model.lists(span, 'processes')));
    });

    it('keep what a seal that fails had taken, and lose nothing when it is sealed again', async () => {
      const model = new SnapshotModel();
      for (const snapshots of randomSnapshots(createRandom(5), NOW, 20)) {
        await send(snapshots);
        model.add(snapshots);
      }
      const before = await counts();
      const failing = sealLog(sql, {
        bound: readEndedSeq,
        maxBytes: 1_000_000,
        sealed: () => Promise.reject(new Error('killed')),
      });
      await expect(failing).rejects.toThrow('killed');
      expect(await counts()).toEqual(before);
      await seal(1_000_000);
      const spans = HOSTS.map((serviceId) => spanOf(serviceId, NOW - 24 * HOUR_MS, NOW));
      expect(await packedSnapshots.lists(sql, spans, 'containers')).toEqual(
        spans.map((span) => model.lists(span, 'containers')),
      );
    });

    it('see every snapshot at each moment of a seal', async () => {
      const model = new SnapshotModel();
      for (const snapshots of randomSnapshots(createRandom(7), NOW, 40)) {
        await send(snapshots);
        model.add(snapshots);
      }
      const spans = HOSTS.map((serviceId) => spanOf(serviceId, NOW - 24 * HOUR_MS, NOW));
      const expected = spans.map((span) => model.lists(span, 'processes'));
      const compare = async () => {
        expect(await packedSnapshots.lists(sql, spans, 'processes')).toEqual(expected);
        const newest = await packedSnapshots.newestTimes(sql, spans, 'processes');
        expect(newest).toEqual(expected.map((lists) => lists.at(-1)?.time ?? null));
      };
      let transactions = 0;
      const sealed = async () => {
        transactions += 1;
        if (transactions % 4 === 0) await compare();
      };
      let isSealing = true;
      const sealing = sealLog(sql, { bound: readEndedSeq, maxBytes: 200, sealed }).finally(() => {
        isSealing = false;
      });
      while (isSealing) await compare();
      await sealing;
      expect(transactions).toBeGreaterThan(10);
      expect(await counts()).toMatchObject({ log: 0 });
    });

    it('have nothing of a deleted host from the next seal on', async () => {
      await send(
        HOSTS.map((serviceId) => ({ organizationId: 'org_a', serviceId, time: NOW - 1, processes: [] })),
      );
      await admin.sql`update services set deleted_at = now() where id = 'svc_a'`;
      await seal(1_000_000);
      const spans = HOSTS.map((serviceId) => spanOf(serviceId, NOW - 10, NOW));
      expect(await packedSnapshots.newestTimes(sql, spans, 'processes')).toEqual([null, NOW - 1, NOW - 1]);
      expect(await counts()).toEqual({ log: 0, chunks: 2 });
    });

    it('seal around a row that is damaged, say which it was, and keep it', async () => {
      await send([{ organizationId: 'org_a', serviceId: 'svc_a', time: NOW - 2, processes: [] }]);
      await admin.sql`update snapshot_log set data = overlay(data placing '\\x00' from 6)`;
      await send([{ organizationId: 'org_a', serviceId: 'svc_a', time: NOW - 1, processes: [] }]);
      const damaged = await seal(1_000_000);
      expect(damaged).toMatchObject([{ bucket: expect.any(Number), error: { name: 'MalformedBytesError' } }]);
      expect(await sql`select organization_id, relation from damaged_samples`).toEqual([
        { organization_id: 'org_a', relation: 'snapshot_log' },
      ]);
      const times = await packedSnapshots.times(sql, spanOf('svc_a', NOW - 10, NOW));
      expect([...times]).toEqual([NOW - 1]);
    });
  });
}

const READERS = { rows: createRowSnapshots('snapshots'), packed: packedSnapshots };

const spanOf = (serviceId: string, from: number, to: number): SnapshotSpan => ({
  organizationId: 'org_a',
  serviceId,
  from,
  to,
});

function randomSpans(random: () => number): SnapshotSpan[] {
  return [...HOSTS, 'svc_unknown'].map((serviceId) => {
    const to = random() < 0.3 ? Number.POSITIVE_INFINITY : NOW - Math.floor(random() * 5 * HOUR_MS);
    const length = random() < 0.3 ? Number.POSITIVE_INFINITY : Math.floor(random() * random() * 3 * HOUR_MS);
    return spanOf(serviceId, Math.min(to, NOW) - length, to);
  });
}

/** The answer to a question of each kind, beside that of the model. */
async function answers(
  sql: Sql,
  reader: SnapshotReader,
  model: SnapshotModel,
  spans: readonly SnapshotSpan[],
  random: () => number,
) {
  const member = random() < 0.5 ? 'processes' : 'containers';
  const max = random() < 0.5 ? 1 : 7;
  const stepMs = random() < 0.5 ? MINUTE_MS : 15 * MINUTE_MS;
  const [span] = spans as [SnapshotSpan];
  const lists = spans.map((each) => model.lists(each, member));
  const newest = lists.map((own) => own.toReversed());
  const containers = model.lists(span, 'containers');
  const presence = await reader.containerPresence(sql, span, 'web');
  const hours = await reader.hours(sql, spans, member);
  return {
    lists: { found: await reader.lists(sql, spans, member), expected: lists },
    'lists of steps': {
      found: await reader.lists(sql, spans, member, { stepMs }),
      expected: spans.map((each) => model.newestOfSteps(each, member, stepMs)),
    },
    'newest lists': {
      found: await reader.newest(sql, spans, member, max),
      expected: newest.map((own) => own.slice(0, max)),
    },
    'newest times': {
      found: await reader.newestTimes(sql, spans, member),
      expected: newest.map(([first]) => first?.time ?? null),
    },
    times: {
      found: [...(await reader.times(sql, span))],
      expected: model.within(span).map(({ time }) => time),
    },
    'containers that are there': {
      found: [...presence.at].map((time, index) => [time, presence.hasIt[index]]),
      expected: containers.map(({ time, list }) => [
        time,
        (list as { name: string }[]).some(({ name }) => name === 'web'),
      ]),
    },
    'hours that have too few lists': {
      found: lists.flatMap((own, index) =>
        [...Map.groupBy(own, ({ time }) => bucketOf(time, HOUR_MS))].filter(
          ([hour, { length }]) => !hours[index]?.some((each) => each.hour === hour && each.count >= length),
        ),
      ),
      expected: [],
    },
  };
}
