import { setTimeout as sleep } from 'node:timers/promises';
import type { Preview } from '@tidewatch/contracts/rules/preview';
import type { Sql } from '@tidewatch/store/connection';
import { cpuSeconds } from '@tidewatch/testkit/process-tree';
import type { Product } from '@tidewatch/testkit/product';
import { createApi } from '../api.ts';
import { openAdmin } from '../database.ts';

export interface PreviewTiming {
  name: string;
  /** Seconds over HTTP, of each round. */
  seconds: number[];
  /** CPU-seconds of the product, of each round. */
  cpu: number[];
  alerts: number;
  /** The longest that another request, one sent every 20 ms, had to wait meanwhile, ms. */
  slowestOther: number;
}

export interface PreviewResult {
  filledSeconds: number;
  minutes: number;
  loudHours: number;
  timings: PreviewTiming[];
}

const HOSTS = 1_000;
const DAYS = 30;
const DAY_MS = 86_400_000;
const ROUNDS = 3;
/** Days that are written at once, on connections of their own. */
const WRITERS = 2;
const RULE = {
  name: 'preview',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
};
const QUESTIONS = [
  { name: 'the rule alone', body: { rule: RULE } },
  {
    name: 'with a curve of 3 thresholds and 3 durations',
    body: { rule: RULE, thresholds: [88, 90, 94], durations: [1, 5, 10] },
  },
  {
    name: 'with a curve of 20 thresholds and 10 durations',
    body: {
      rule: RULE,
      thresholds: Array.from({ length: 20 }, (_, index) => 80 + index),
      durations: [0, 1, 2, 3, 5, 8, 10, 15, 20, 30],
    },
  },
];

/** Minutes of 1,000 hosts and 30 days, written straight into the database, and previews over all of them. */
export async function runPreview(product: Product): Promise<PreviewResult> {
  const api = createApi(product.url, product.key);
  const began = performance.now();
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const admin = openAdmin(product.dataDir, 'tidewatch', WRITERS);
  try {
    await fill(admin.sql, to);
    const [counts] = await admin.sql<{ minutes: number; hours: number }[]>`
      select (select count(*)::int from rollup_1h where max0 > 90) as hours,
        (select sum(cnt0)::int from rollup_1h) as minutes`;
    const filledSeconds = (performance.now() - began) / 1_000;
    const range = { from: new Date(to - DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString() };
    const timings: PreviewTiming[] = [];
    for (const { name, body } of QUESTIONS) {
      const timing: PreviewTiming = { name, seconds: [], cpu: [], alerts: 0, slowestOther: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        const others = askMeanwhile(product);
        const [start, used] = [performance.now(), cpuSeconds(product.pid())];
        const answer = await api.post<Preview>('/alerts/rules/preview', { ...body, ...range }, 200);
        timing.seconds.push((performance.now() - start) / 1_000);
        timing.cpu.push(cpuSeconds(product.pid()) - used);
        timing.alerts = answer.alerts_total;
        timing.slowestOther = Math.max(timing.slowestOther, await others.stop());
      }
      timings.push(timing);
    }
    return { filledSeconds, minutes: counts?.minutes ?? 0, loudHours: counts?.hours ?? 0, timings };
  } finally {
    await admin.close();
  }
}

/** Asks whether the product lives, every 20 ms; answers the longest that it took. */
function askMeanwhile(product: Product) {
  let slowest = 0;
  let going = true;
  const run = (async () => {
    while (going) {
      const start = performance.now();
      await (await fetch(`${product.url}/healthz`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - start);
      await sleep(20);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await run;
      return slowest;
    },
  };
}

async function fill(sql: Sql, to: number): Promise<void> {
  const [organization] = await sql<{ id: string }[]>`select id from organizations limit 1`;
  const org = organization?.id ?? '';
  await sql`insert into services (org_id, id, host, first_seen, status_since)
    select ${org}, 'svc_' || lpad(to_hex(n), 32, '0'), 'preview-' || lpad(n::text, 4, '0'), now(), now()
    from generate_series(1, ${HOSTS}::int) n`;
  await sql`insert into blocks (org_id, service_id, subject_kind, subject_name, ordinal, metrics)
    select org_id, id, 'host', host, 0, array['cpu_percent'] from services where host like 'preview-%' order by host`;
  for (const month of new Set(
    Array.from({ length: DAYS + 1 }, (_, index) => firstOfMonth(to - index * DAY_MS)),
  ))
    await sql`select ensure_partition('rollup_1h', ${month}::timestamptz, ${firstOfMonth(month + 32 * DAY_MS)}::timestamptz)`;
  const days = Array.from({ length: DAYS }, (_, index) => to - (index + 1) * DAY_MS);
  const write = async () => {
    for (let day = days.pop(); day !== undefined; day = days.pop()) await writeDay(sql, day);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await sql`analyze rollup_1m, rollup_1h, blocks, services`;
}

function firstOfMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** A partition is written and indexed by itself and attached in place of an empty one, which takes half as long. One hour in a hundred is loud for twenty minutes. */
async function writeDay(sql: Sql, day: number): Promise<void> {
  const child = `rollup_1m_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()];
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local role tidewatch_owner;
      drop table if exists ${child};
      create table ${child} (like rollup_1m);
      alter table ${child} add check (bucket >= '${from}' and bucket < '${to}');
      insert into ${child} (bucket, block_id, sum0, cnt0, min0, max0)
        select m.at, m.id, m.v, 1, m.v, m.v from (
          select '${from}'::timestamptz + n * interval '1 minute' as at, b.id,
            case when n % 60 between 10 and 29 and hashint8(b.id::int8 * 100003 + (n / 60) * 7919 + ${day / DAY_MS}) & 1023 < 10
              then 91 else 20 end + (hashint8(b.id::int8 * 1009 + n) & 1023) / 128::float8 as v
          from generate_series(0, 1439) n
          cross join lateral unnest((select array_agg(id order by id) from blocks where subject_name like 'preview-%')) b (id)
        ) m;
      create unique index on ${child} (block_id, bucket);
      alter table rollup_1m attach partition ${child} for values from ('${from}') to ('${to}');
      insert into rollup_1h (bucket, block_id, sum0, cnt0, min0, max0)
        select date_bin('1 hour', bucket, 'epoch'), block_id, sum(sum0), count(*)::int, min(min0), max(max0)
        from ${child} group by 1, 2 order by 1, 2`);
  });
}
