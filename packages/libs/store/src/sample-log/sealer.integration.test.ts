import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { dropDamaged } from '../sample-damage/retention.ts';
import { takeClosedDays } from '../sample-days/closed-days.ts';
import { deleteBlocks } from '../sample-days/delete-blocks.ts';
import { appendLog, type SubjectSample } from './append-log.ts';
import { ORGANIZATION, readSealed, readSealedLatest, SealedFleet } from './sealed-fleet.harness.ts';
import { describeSealedStreams } from './sealed-streams.contract.ts';
import { type SealDamage, Sealer, type SealerOptions } from './sealer.ts';

const NOON = Date.UTC(2026, 10, 29, 12);
const HOSTS = 12;
const BLOCKS = 2;
const { sql, transact, database } = await storeForFile({
  as: 'product',
  sampleLayout: 'log',
  max: 6,
  organizations: [ORGANIZATION],
});

const admin = await openForFile(Promise.resolve(openStore({ url: database.adminUrl, max: 1 })));

let fleet: SealedFleet;
let now: number;
let damages: SealDamage[];
beforeEach(async () => {
  for (const relation of [
    'sample_log',
    'damaged_samples',
    'sample_buckets',
    'sample_chunks',
    'sample_days',
    'closed_days',
    'block_latest',
    'blocks',
  ])
    await sql`delete from ${sql(relation)}`;
  fleet = new SealedFleet(sql);
  now = NOON;
  damages = [];
  await fleet.addHosts(HOSTS, BLOCKS);
});

const openSealer = (options: Partial<SealerOptions> = {}) =>
  new Sealer({ sql, clock: () => now, damaged: (damage) => damages.push(damage), ...options });

async function append(samples: readonly SubjectSample[], minRowBytes?: number): Promise<void> {
  await transact((tx) => appendLog(tx, samples, minRowBytes));
  fleet.committed(samples, now);
}

const readDamaged = () => sql`select organization_id, relation, block_id from damaged_samples order by id`;

async function expectModel(): Promise<void> {
  expect(damages).toEqual([]);
  expect(await sql`select bucket, seq from sample_log`).toEqual([]);
  expect(await readSealed(sql)).toEqual(fleet.wanted);
  expect(await readSealedLatest(sql)).toEqual(fleet.wantedLatest);
}

const at = (random: () => number, count: number) => Math.floor(random() * count);
const allSlots = (value: number) =>
  Object.fromEntries(Array.from({ length: 16 }, (_, slot) => [slot, value]));

describe('sealing the log', () => {
  describeSealedStreams(
    [
      { seed: 1, maxBytes: 1_000_000 },
      { seed: 2, maxBytes: 3_000 },
      { seed: 3, maxBytes: 500 },
    ],
    createRandom,
    async () => sql,
  );

  it('sorts, merges and counts samples of two writers while they write', async () => {
    const sealer = openSealer({ maxBytes: 4_000 });
    const writers = [0, 1].map(async (writer) => {
      const random = createRandom(40 + writer);
      for (let round = 0; round < 40; round += 1) {
        const own = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, at) => at * 2 + writer);
        await append(
          own.map((host) =>
            fleet.sampleOf(host, NOON + Math.floor(random() * 20) * 10_000, [
              { 0: round, [at(random, 16)]: random() },
              { [at(random, 16)]: round },
            ]),
          ),
        );
      }
    });
    let isWriting = true;
    const sealing = (async () => {
      while (isWriting) await sealer.sealAll();
    })();
    await Promise.all(writers);
    isWriting = false;
    await sealing;
    await sealer.sealAll();
    await expectModel();
  });

  it('waits for a transaction that drew an early number and commits late, whose samples count as earlier', async () => {
    const early = [0, 1].map((host) => fleet.sampleOf(host, NOON, [{ 0: 1, 1: 1 }]));
    const later = [fleet.sampleOf(0, NOON, [{ 0: 2 }])];
    const appended = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const writing = transact(async (tx) => {
      await appendLog(tx, early);
      appended.resolve();
      await end.promise;
    });
    await appended.promise;
    await transact((tx) => appendLog(tx, later));
    const sealing = openSealer().sealAll();
    const waiting = () => sql`select from pg_locks where locktype = 'advisory' and not granted`;
    while ((await waiting()).length === 0) await sql`select pg_sleep(0.01)`;
    expect(await readSealed(sql)).toEqual({});
    end.resolve();
    await Promise.all([writing, sealing]);
    fleet.committed(early, now);
    fleet.committed(later, now);
    await expectModel();
  });

  it('gives a bound up while a transaction that appends does not end, so that others can append', async () => {
    const hanging = [fleet.sampleOf(0, NOON, [{ 0: 1 }])];
    const appended = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const writing = transact(async (tx) => {
      await appendLog(tx, hanging);
      appended.resolve();
      await end.promise;
    });
    await appended.promise;
    await expect(openSealer().sealAll()).rejects.toMatchObject({ code: '55P03' });
    await append([fleet.sampleOf(1, NOON, [{ 0: 2 }])]);
    end.resolve();
    await writing;
    fleet.committed(hanging, now);
    await openSealer().sealAll();
    await expectModel();
  });

  it.each(['sample_chunks', 'block_latest', 'sample_buckets'])(
    'leaves everything as it was when it is killed before it writes %s, and seals it in the next round',
    async (relation) => {
      const sealer = openSealer();
      await append([fleet.sampleOf(0, NOON, [{ 0: 1 }])]);
      await sealer.sealAll();
      await append([fleet.sampleOf(0, NOON, [{ 0: 2 }]), fleet.sampleOf(1, NOON, [{}, { 0: 3 }])]);
      const state = async () => [
        await readSealed(sql),
        await readSealedLatest(sql),
        await sql`select bucket, seq, data from sample_log order by 1, 2`,
        await sql`select * from sample_buckets order by bucket`,
      ];
      const before = await state();
      await admin.transact(async (tx) => {
        await tx`lock table ${tx(`tidewatch.${relation}`)} in share row exclusive mode`;
        const sealing = sealer.sealAll();
        const failure = expect(sealing).rejects.toThrow();
        const blocked = () => tx<{ pid: number }[]>`
          select pid from pg_locks where relation = ${`tidewatch.${relation}`}::regclass and not granted`;
        let pid: number | undefined;
        while (pid === undefined) pid = (await blocked())[0]?.pid;
        await tx`select pg_terminate_backend(${pid})`;
        await failure;
      });
      expect(await state()).toEqual(before);
      await sealer.sealAll();
      await expectModel();
    },
  );

  it('writes nothing without its lease', async () => {
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }])]);
    const lost = openSealer().sealAll(() => Promise.reject(new Error('the lease is lost')));
    await expect(lost).rejects.toThrow('the lease is lost');
    expect(await readSealed(sql)).toEqual({});
    await openSealer().sealAll();
    await expectModel();
  });

  it('discards samples of deleted services and of removed blocks, also among small transactions', async () => {
    const all = () => fleet.hosts.map((_, host) => fleet.sampleOf(host, now, [{ 0: host }, { 1: host }]));
    for (let round = 0; round < 3; round += 1) {
      now += 10_000;
      await append(all());
    }
    const [deleted, removed] = fleet.hosts;
    await sql`update services set deleted_at = now() where id = ${deleted?.serviceId ?? ''}`;
    await sql`delete from blocks where service_id = ${removed?.serviceId ?? ''}`;
    fleet.forget(0);
    fleet.forget(1);
    await openSealer({ maxBytes: 100 }).sealAll();
    await expectModel();
  });

  it('sorts small transactions of a host whose first block was removed', async () => {
    await append(fleet.hosts.map((_, host) => fleet.sampleOf(host, NOON, [{}, { 1: host }])));
    await sql`delete from blocks where id = ${fleet.hosts[3]?.blockIds[0] ?? 0}`;
    await openSealer({ maxBytes: 100 }).sealAll();
    await expectModel();
  });

  it.each([
    { rows: 'single buckets', minRowBytes: 1 },
    { rows: 'shared buckets', minRowBytes: 600 },
  ])(
    'catches up after it was stalled for long by transactions of bounded size, with rows of $rows',
    async ({ minRowBytes }) => {
      const random = createRandom(7);
      const host = (at: number, time: number) =>
        fleet.sampleOf(at, time, [allSlots(random()), allSlots(random())]);
      for (let round = 0; round < 8 * 4; round += 1) {
        now += 10_000;
        const samples = fleet.hosts.map((_, at) => host(at, now));
        await append(samples, minRowBytes);
      }
      const shared = await sql`select from sample_log where bucket < -1`;
      expect(shared.length > 0).toBe(minRowBytes > 1);
      const sizes: number[] = [];
      await openSealer({ maxBytes: 5_000, sealed: ({ samples }) => sizes.push(samples) }).sealAll();
      expect(sizes.reduce((sum, samples) => sum + samples, 0)).toBe(8 * 4 * HOSTS * 32);
      // A double takes nine bytes.
      expect(Math.max(...sizes)).toBeLessThan(5_000 / 9);
      await expectModel();
    },
  );

  it('keeps a row and a chunk that are damaged, reports them, and stores everything else', async () => {
    const sealer = openSealer();
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }])]);
    await sealer.sealAll();
    await admin.sql`update tidewatch.sample_chunks set data = set_byte(data, 8, 255)`;
    await append([fleet.sampleOf(0, NOON, [{ 0: 2 }])]);
    await append([fleet.sampleOf(1, NOON, [{ 0: 3 }])]);
    await append([fleet.sampleOf(2, NOON, [{ 0: 4 }])]);
    await admin.sql`
      update tidewatch.sample_log set data = set_byte(data, 8, 255) where seq = (select max(seq) - 1 from tidewatch.sample_log)`;
    await sealer.sealAll();
    expect(damages.map(({ error, ...place }) => [error.name, Object.keys(place)])).toEqual([
      ['MalformedBytesError', ['bucket', 'seq']],
      ['MalformedBytesError', ['blockId']],
    ]);
    const [late, , sound] = fleet.hosts.map(({ blockIds }) => blockIds[0] as number);
    expect(await readSealed(sql)).toEqual({
      [late as number]: [[NOON, { 0: 2 }]],
      [sound as number]: [[NOON, { 0: 4 }]],
    });
    expect(await readDamaged()).toEqual([
      { organization_id: ORGANIZATION, relation: 'sample_log', block_id: null },
      { organization_id: ORGANIZATION, relation: 'sample_chunks', block_id: late },
    ]);
  });

  it('stores the records of a row that are not damaged, and keeps the row', async () => {
    const sealer = openSealer();
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }]), fleet.sampleOf(1, NOON, [{ 0: 2 }])]);
    const [row] = await sql<{ data: Buffer }[]>`select data from sample_log`;
    const damaged = Buffer.from((row as { data: Buffer }).data);
    damaged[damaged.length - 1] = (damaged.at(-1) as number) ^ 1;
    await admin.sql`update tidewatch.sample_log set data = ${damaged}::bytea`;
    await sealer.sealAll();
    expect(damages).toHaveLength(1);
    expect(await readSealed(sql)).toEqual({ [fleet.hosts[0]?.blockIds[0] ?? 0]: [[NOON, { 0: 1 }]] });
    expect(await sql`select relation, seq is not null as has_seq, data from damaged_samples`).toEqual([
      { relation: 'sample_log', has_seq: true, data: damaged },
    ]);
  });

  it('drops what is damaged with its day', async () => {
    const sealer = openSealer();
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }])]);
    await admin.sql`update tidewatch.sample_log set data = '\\x00'`;
    await sealer.sealAll();
    const dropAt = (days: number) => dropDamaged(sql, DEFAULT_RETENTION_DAYS, { now: NOON + days * DAY_MS });
    expect(await dropAt(DEFAULT_RETENTION_DAYS.raw)).toBe(0);
    expect(await dropAt(DEFAULT_RETENTION_DAYS.raw + 2)).toBe(1);
    expect(await readDamaged()).toEqual([]);
  });

  it('waits for who holds closed days before it locks rows that they may wait for', async () => {
    const sealer = openSealer({ maxBlocks: 1 });
    const past = NOON - DAY_MS;
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }]), fleet.sampleOf(0, NOON + 2_000, [{ 0: 2 }])]);
    await sealer.sealAll();
    await append([fleet.sampleOf(0, NOON + 1_000, [{ 0: 3 }]), fleet.sampleOf(1, past, [{ 0: 4 }])]);
    const deleted = fleet.hosts[0]?.blockIds ?? [];
    const sealing = await transact(async (tx) => {
      await takeClosedDays(tx);
      const begun = sealer.sealAll();
      const isWaiting = async () => {
        const rows = await admin.sql`
          select from pg_locks
          where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
        return rows.length > 0;
      };
      while (!(await isWaiting()));
      await tx`set local lock_timeout = '5s'`;
      await deleteBlocks(tx, deleted);
      return { begun };
    });
    await sealing.begun;
    expect(damages).toEqual([]);
    expect(await sql`select from sample_log`).toEqual([]);
    expect(await readSealed(sql)).toEqual({
      [deleted[0] as number]: [[NOON + 1_000, { 0: 3 }]],
      [fleet.hosts[1]?.blockIds[0] as number]: [[past, { 0: 4 }]],
    });
  });

  it('merges a sample into a chunk of samples that were ahead of the clock', async () => {
    const sealer = openSealer();
    for (const times of [[NOON], [NOON + HOUR_MS, NOON + HOUR_MS + 20_000], [NOON + HOUR_MS + 10_000]]) {
      await append(times.map((time) => fleet.sampleOf(0, time, [{ 0: time - NOON }])));
      await sealer.sealAll();
    }
    await expectModel();
  });

  it('takes the values since a clock was set back as the latest, and keeps others until there are some', async () => {
    await append([fleet.sampleOf(0, NOON, [{ 0: 1, 1: 1 }])]);
    await openSealer().sealAll();
    const { serviceId = '', blockIds = [] } = fleet.hosts[0] ?? {};
    const since = NOON - 2 * HOUR_MS;
    await sql`
      insert into service_live (organization_id, service_id, last_seen, last_sample_at)
      values (${ORGANIZATION}, ${serviceId}, ${NOON}::timestamptz, ${since}::timestamptz)`;
    await append([fleet.sampleOf(0, since, [{ 0: 2 }])]);
    await openSealer().sealAll();
    expect(await readSealedLatest(sql)).toEqual({
      [blockIds[0] as number]: { 0: [since, 2], 1: [since, 1] },
    });
  });
});

describe('the rounds of a seal', () => {
  it('spreads groups of buckets evenly over the interval, and begins the next round after it', async () => {
    const seals: number[] = [];
    const sealer = openSealer({
      maxBytes: 100,
      intervalMs: 60_000,
      sealed: ({ samples }) => {
        if (samples > 0) seals.push(now - NOON);
      },
    });
    const random = createRandom(8);
    const all = () =>
      fleet.hosts.map((_, host) => fleet.sampleOf(host, now, [allSlots(random()), allSlots(random())]));
    await append(all(), 1);
    const groups = new Set(
      (await sql<{ bucket: number }[]>`select bucket from sample_log`).map((row) => row.bucket),
    );
    for (; now < NOON + 90_000; now += 1_000) {
      expect(await sealer.step()).toBeLessThanOrEqual(3_000);
      if (now === NOON + 61_000) await append(all(), 1);
    }
    expect(seals.length).toBeGreaterThanOrEqual(groups.size);
    const spread = 60_000 / groups.size;
    for (const [at, time] of seals.slice(0, groups.size).entries()) {
      expect(time).toBeGreaterThanOrEqual(at * spread);
      expect(time).toBeLessThan(at * spread + 2_000);
    }
  });

  it('seals a shared bucket that has become large before its turn, with small transactions that came before', async () => {
    const sealer = openSealer({ maxBytes: 2_000, intervalMs: 300_000 });
    const random = createRandom(9);
    await sealer.step();
    for (let round = 0; round < 3; round += 1) {
      await append([fleet.sampleOf(0, now, [{ 0: round }])]);
      now += 10_000;
      const all = fleet.hosts.map((_, host) =>
        fleet.sampleOf(host, now, [allSlots(random()), allSlots(random())]),
      );
      await append(all, 600);
    }
    const readSizes = () => sql<{ bucket: number; bytes: number }[]>`
      select bucket, sum(octet_length(data))::integer as bytes from sample_log group by bucket`;
    const isLarge = ({ bucket, bytes }: { bucket: number; bytes: number }) => bucket < -1 && bytes > 2_000;
    expect((await readSizes()).filter(isLarge)).not.toEqual([]);
    while ((await sealer.step()) === 0);
    const left = await readSizes();
    expect(left.filter((size) => isLarge(size) || size.bucket === -1)).toEqual([]);
    await sealer.sealAll();
    await expectModel();
  });

  it('measures the log and the age of its oldest row, which a late sample does not raise', async () => {
    const measured: number[][] = [];
    const sealer = openSealer({ measured: (bytes, ageMs) => measured.push([bytes, ageMs]) });
    await sealer.sealAll();
    await append([fleet.sampleOf(0, NOON, [{ 0: 1 }])]);
    now += 20_000;
    await sealer.sealAll();
    await append([fleet.sampleOf(0, NOON - DAY_MS, [{ 0: 1 }])]);
    now += 5_000;
    await sealer.sealAll();
    const bytes = measured.map(([each]) => (each as number) > 0);
    expect(bytes).toEqual([false, false, true, false, true, false]);
    expect(measured.map(([, ageMs]) => ageMs)).toEqual([0, 0, 20_000, 0, 5_000, 0]);
  });
});
