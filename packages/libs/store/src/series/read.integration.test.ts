import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SeriesPoints } from './points.ts';
import { readSeries } from './read.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);
const WIDTHS = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS } as const;
const RETAINED: Record<Tier, number> = {
  raw: dayOf(NOW - 7 * DAY_MS),
  '1m': dayOf(NOW - 30 * DAY_MS),
  '1h': dayOf(NOW - 400 * DAY_MS),
  '1d': dayOf(NOW - 1826 * DAY_MS),
};

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

interface Sample {
  time: number;
  value: number;
}

const store = await storeForFile({ sampleLayout: 'rows' });

describe('readSeries', () => {
  const organizationId = newId('org');
  const serviceId = newId('svc');
  let blockId = 0;
  const raw: Sample[] = [];
  const late: Sample[] = [];
  // Dirty minutes and hours, with wrong rollup rows, so that the test fails if a reader uses them.
  const dirty = [
    { tier: '1m', bucket: minute(NOW - 3 * HOUR_MS) },
    { tier: '1m', bucket: minute(NOW - 3 * HOUR_MS) + MINUTE_MS },
    { tier: '1m', bucket: minute(NOW - 2 * DAY_MS) },
    { tier: '1h', bucket: Math.floor((NOW - 30 * HOUR_MS) / HOUR_MS) * HOUR_MS },
    { tier: '1d', bucket: dayOf(NOW - 4 * DAY_MS) },
  ] as const;
  const openFrom = minute(NOW);

  beforeAll(async () => {
    const { sql } = store;
    await sql`insert into organizations (id, name) values (${organizationId}, 'test')`;
    await sql`insert into services (organization_id, id, host, first_seen, status_since)
      values (${organizationId}, ${serviceId}, 'web-01', ${NOW}, ${NOW})`;
    const [block] = await sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values (${organizationId}, ${serviceId}, 'host', 'web-01', 0, array['', '', '', 'wave', 'never'])
      returning id`;
    blockId = block?.id as number;
    for (let day = 1826; day >= -1; day--) {
      const from = dayOf(NOW - day * DAY_MS);
      const tables = day <= 8 ? ['samples', 'rollup_1m'] : day <= 31 ? ['rollup_1m'] : [];
      for (const table of tables) await sql`select ensure_partition(${table}, ${from}, ${from + DAY_MS})`;
    }
    for (const table of ['rollup_1h', 'rollup_1d', 'samples_backfill'])
      await sql`select ensure_partition(${table}, ${NOW - 1900 * DAY_MS}, ${NOW + DAY_MS})`;
    const random = createRandom(7);
    for (let time = NOW - 6 * DAY_MS; time < NOW; time += 97_000 + Math.floor(random() * 20_000))
      raw.push({ time, value: Math.round(random() * 1e6) / 1e3 });
    for (const days of [9, 20.3, 45, 300, 800, 1500])
      for (let n = 0; n < 50; n++)
        late.push({
          time: Math.floor(NOW - days * DAY_MS + n * 11_111),
          value: Math.round(random() * 1e6) / 1e3,
        });
    await insert('samples', raw);
    await insert('samples_backfill', late);
    for (const tier of ROLLUP_TIERS) await rollUp(tier);
    for (const { tier, bucket } of dirty)
      await sql`insert into dirty_buckets (tier, block_id, bucket) values (${tier}, ${blockId}, ${bucket})`;
  });

  async function insert(table: 'samples' | 'samples_backfill', samples: Sample[]) {
    await store.sql`insert into ${store.sql(table)} ("time", block_id, v3)
      select to_timestamp(x.t / 1000.0), ${blockId}, x.v
      from unnest(${samples.map((s) => s.time)}::float8[], ${samples.map((s) => s.value)}::float8[]) as x (t, v)`;
  }

  /** Rolls up closed buckets as a writer does, with wrong values in dirty buckets. */
  async function rollUp(tier: '1m' | '1h' | '1d') {
    const width = WIDTHS[tier];
    const closed = Math.floor(openFrom / width) * width;
    for (const [bucket, of] of steps(raw, width)) {
      if (bucket >= closed) continue;
      const wrong = dirty.some(
        (mark) => Math.floor(mark.bucket / width) * width === bucket && WIDTHS[mark.tier] <= width,
      );
      const factor = wrong ? 1_000 : 1;
      await store.sql`insert into ${store.sql(`rollup_${tier}`)} (bucket, block_id, sum3, cnt3, min3, max3)
        values (${bucket}, ${blockId}, ${of.sum * factor}, ${of.count}, ${of.min}, ${of.max * factor})`;
    }
  }

  async function read(tier: Tier, stepMs: number, from: number, to: number) {
    const [series] = await readSeries(store.sql, {
      organizationId,
      serviceId,
      subject: { kind: 'host', name: 'web-01' },
      metrics: ['wave'],
      tier,
      stepMs,
      from: Math.max(from, RETAINED[tier]),
      to,
      retained: RETAINED,
    });
    return series === undefined ? [] : spelledOut(series.points);
  }

  function expected(stepMs: number, from: number, to: number) {
    const inside = [...raw, ...late].filter(({ time }) => time >= from && time < to);
    return [...steps(inside, stepMs)].sort(([a], [b]) => a - b);
  }

  it.each<[string, Tier, number, number, number]>([
    ['raw samples', 'raw', 10_000, NOW - 6 * HOUR_MS, NOW],
    ['raw samples in odd steps', 'raw', 90_000, NOW - 6 * DAY_MS, NOW],
    ['minutes with the open one', '1m', MINUTE_MS, NOW - DAY_MS, NOW + HOUR_MS],
    ['minutes around dirty ones', '1m', 5 * MINUTE_MS, NOW - 4 * HOUR_MS, NOW],
    ['a window that cuts minutes', '1m', MINUTE_MS, NOW - 3 * HOUR_MS + 7, NOW - 2 * HOUR_MS - 13],
    ['late minutes', '1m', MINUTE_MS, NOW - 22 * DAY_MS, NOW - 20 * DAY_MS],
    ['hours with the open and dirty ones', '1h', HOUR_MS, NOW - 6 * DAY_MS, NOW],
    ['a window that cuts hours', '1h', 3 * HOUR_MS, NOW - 5 * DAY_MS + 1_234_567, NOW - 7_654_321],
    ['late hours', '1h', HOUR_MS, NOW - 390 * DAY_MS, NOW - 40 * DAY_MS],
    ['days with all of it', '1d', DAY_MS, NOW - 1_800 * DAY_MS, NOW],
    ['weeks', '1d', 7 * DAY_MS, NOW - 1_800 * DAY_MS, NOW + DAY_MS],
  ])('%s agree with a naive recount', async (_, tier, step, from, to) => {
    const points = await read(tier, step, from, to);
    const wanted = expected(step, from, to);
    expect(points.map((point) => point.at)).toEqual(wanted.map(([at]) => at));
    expect(points.length).toBeGreaterThan(0);
    for (const [index, [, { sum, count, min, max }]] of wanted.entries()) {
      const point = points[index];
      expect(point).toMatchObject({ count, min, max });
      expect(point?.avg).toBeCloseTo(sum / count, 8);
    }
  });

  it('points that a tier no longer keeps are absent', async () => {
    expect(await read('1m', MINUTE_MS, NOW - 46 * DAY_MS, NOW - 44 * DAY_MS)).toEqual([]);
    expect(await read('raw', 1_000, NOW - 10 * DAY_MS, NOW - 8 * DAY_MS)).toEqual([]);
  });

  it('without requested names, all metrics of the subject are returned by name, including those without samples', async () => {
    const request = {
      organizationId,
      serviceId,
      tier: '1m',
      stepMs: MINUTE_MS,
      from: NOW - HOUR_MS,
      to: NOW,
    } as const;
    const host = { kind: 'host', name: 'web-01' } as const;
    const series = await readSeries(store.sql, {
      ...request,
      subject: host,
      metrics: undefined,
      retained: RETAINED,
    });
    expect(series.map(({ metric, points }) => [metric, points.at.length > 0])).toEqual([
      ['never', false],
      ['wave', true],
    ]);
    const other = {
      ...request,
      subject: { kind: 'container', name: 'api' } as const,
      metrics: ['wave'],
      retained: RETAINED,
    };
    expect(await readSeries(store.sql, other)).toMatchObject([
      { metric: 'wave', unit: null, points: { at: new Float64Array() } },
    ]);
  });
});

function steps(samples: readonly Sample[], width: number) {
  const found = new Map<number, { sum: number; count: number; min: number; max: number }>();
  for (const { time, value } of samples) {
    const at = Math.floor(time / width) * width;
    const step = found.get(at) ?? {
      sum: 0,
      count: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    step.sum += value;
    step.count += 1;
    step.min = Math.min(step.min, value);
    step.max = Math.max(step.max, value);
    found.set(at, step);
  }
  return found;
}

function spelledOut({ at, avg, min, max, count }: SeriesPoints) {
  return Array.from(at, (time, i) => ({
    at: time,
    avg: avg[i] as number,
    min: min[i],
    max: max[i],
    count: count[i],
  }));
}

function minute(time: number): number {
  return Math.floor(time / MINUTE_MS) * MINUTE_MS;
}
