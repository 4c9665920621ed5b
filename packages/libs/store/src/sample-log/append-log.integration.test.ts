import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { decodeRecord } from '@tidewatch/domain/chunk/log-record';
import { readLogRecords } from '@tidewatch/domain/chunk/log-row';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { appendLog, type SubjectSample } from './append-log.ts';
import { bucketsWith, logBucketOf, MIXED_BUCKET, SHARED_BUCKETS } from './buckets.ts';
import { readSampleLayout } from './sample-layout.ts';
import { drawSeqs, readEndedSeq } from './seal-lock.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const { sql, transact } = await storeForFile({ as: 'product', sampleLayout: 'log' });

interface StoredRow {
  organization_id: string;
  bucket: number;
  seq: number;
  first: number;
  last: number;
  data: Buffer;
}

/** The host of a test with this number, which has so many values at a time. */
function sampleOf(host: number, time: number, slots: number, value: () => number): SubjectSample {
  const blocks = Math.ceil(slots / 16);
  return {
    organizationId: host % 7 === 0 ? 'org_b' : 'org_a',
    serviceId: `svc_${host}`,
    anchor: host * 100,
    time,
    ids: Array.from({ length: blocks }, (_, ordinal) => host * 100 + ordinal),
    values: Array.from({ length: blocks * 16 }, (_, slot) => (slot < slots ? value() : Number.NaN)),
  };
}

const readRows = () => sql<StoredRow[]>`select * from sample_log order by seq, bucket`;

/** What a row holds, in its order. */
function samplesIn({ organization_id, seq, data }: StoredRow) {
  return readLogRecords(data, () => true).map((record) => {
    const found = {
      organizationId: organization_id,
      anchor: record.anchor,
      time: Number.NaN,
      ids: [] as number[],
      values: [] as number[],
    };
    expect(record.seq).toBe(seq);
    decodeRecord(record, ({ id, time, values }) => {
      found.time = time;
      found.ids.push(id);
      found.values.push(...values);
    });
    return found;
  });
}

beforeEach(async () => {
  await sql`delete from sample_log`;
});

describe('the log of samples', () => {
  it('is the layout that the harness chose', async () => {
    expect(await readSampleLayout(sql)).toBe('log');
  });

  it('has every sample of a transaction once, in rows of their buckets that are no larger than 1 MiB', async () => {
    const random = createRandom(11);
    const samples = Array.from({ length: 400 }, (_, index) => {
      const host = 1 + Math.floor(random() * 40) ** 2;
      return sampleOf(host, NOW + index * 1_000, 96, () => Math.round(random() * 1e6) / 100);
    });
    // A host whose samples of a transaction fill several rows.
    for (let index = 0; index < 100; index += 1)
      samples.push(sampleOf(3, NOW - HOUR_MS + index, 1_600, random));
    const seqs = await transact((tx) => appendLog(tx, samples));

    const rows = await readRows();
    expect(rows.every(({ bucket, data }) => bucket >= 0 && data.length < 2 ** 20)).toBe(true);
    const ofLargest = rows.filter(({ bucket }) => bucket === logBucketOf('svc_3'));
    expect(ofLargest.map(({ seq }) => seq)).toEqual(seqs);
    expect(seqs.length).toBeGreaterThan(2);
    const found = rows.flatMap((row) => {
      const inside = samplesIn(row);
      const times = inside.map(({ time }) => time);
      expect([row.first, row.last]).toEqual([Math.min(...times), Math.max(...times)]);
      expect(seqs).toContain(row.seq);
      for (const { anchor } of inside) expect(row.bucket).toBe(logBucketOf(`svc_${anchor / 100}`));
      return inside;
    });
    const ofAnchor = ({ anchor }: { anchor: number }) => anchor;
    const stored = Map.groupBy(found, ofAnchor);
    const sent = Map.groupBy(samples, ofAnchor);
    expect(stored.size).toBe(sent.size);
    for (const [anchor, own] of sent)
      expect(stored.get(anchor)).toEqual(
        own.map(({ organizationId, time, ids, values }) => ({ organizationId, anchor, time, ids, values })),
      );
  });

  it('has a row of the mixed bucket for each organization where a transaction has little of many hosts', async () => {
    const samples = Array.from({ length: 30 }, (_, host) => sampleOf(host, NOW + host, 10, () => host));
    await transact((tx) => appendLog(tx, samples));
    const rows = await readRows();
    expect(rows.map(({ organization_id, bucket }) => [organization_id, bucket]).sort()).toEqual([
      ['org_a', MIXED_BUCKET],
      ['org_b', MIXED_BUCKET],
    ]);
    const anchors = rows.flatMap(samplesIn).map(({ anchor }) => anchor / 100);
    expect(anchors.sort((a, b) => a - b)).toEqual(samples.map((_, host) => host));
  });

  it('has rows of shared buckets where a transaction has enough for sixteen rows', async () => {
    const samples = Array.from({ length: 300 }, (_, host) =>
      sampleOf(host, NOW + host, 48, () => host + Math.PI),
    );
    await transact((tx) => appendLog(tx, samples));
    const rows = await readRows();
    expect(rows.length).toBeLessThanOrEqual(2 * SHARED_BUCKETS.length);
    const anchors = rows.flatMap((row) => {
      const found = samplesIn(row).map(({ anchor }) => anchor / 100);
      expect(row.bucket).not.toBe(MIXED_BUCKET);
      for (const host of found) expect(bucketsWith(logBucketOf(`svc_${host}`))).toContain(row.bucket);
      return found;
    });
    expect(anchors.sort((a, b) => a - b)).toEqual(samples.map((_, host) => host));
  });

  it('has a single small payload in the bucket of its host', async () => {
    await transact((tx) => appendLog(tx, [sampleOf(5, NOW, 2, () => 1.5)]));
    expect((await readRows()).map(({ bucket }) => bucket)).toEqual([logBucketOf('svc_5')]);
  });
});

describe('the seal lock', () => {
  it('shows a number as ended only after the transaction that drew it', async () => {
    const before = await readEndedSeq(sql);
    const opened = Promise.withResolvers<number>();
    const end = Promise.withResolvers<void>();
    onTestFinished(() => end.resolve());
    const writing = transact(async (tx) => {
      const [seq = 0] = await drawSeqs(tx);
      opened.resolve(seq);
      await end.promise;
    });
    const drawn = await opened.promise;
    expect(drawn).toBeGreaterThan(before);
    let ended = 0;
    const reading = readEndedSeq(sql).then((seq) => {
      ended = seq;
    });
    const waits = () => sql`
      select from pg_locks where locktype = 'advisory' and not granted`;
    while ((await waits()).length === 0) await sql`select pg_sleep(0.01)`;
    expect(ended).toBe(0);
    end.resolve();
    await Promise.all([writing, reading]);
    expect(ended).toBe(drawn);
  });
});
