import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import { appendLog } from '@tidewatch/store/sample-log/append-log';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { columnsOf, writeChunks } from '../../packed/write-packed.ts';

/** The amount of data in the product. */
export interface ReadingSize {
  hosts: number;
  alerts: number;
  /** The number of metrics of each host: a multiple of sixteen less one. */
  metrics: number;
}

export const MINUTES = 60;
/** Minutes at the end of the hour that are in the log and not yet sealed, as between two seals. */
const UNSEALED_MINUTES = 5;
const STEP_MS = 10 * SECOND_MS;
/** The number of slots of a block with values, of which questions are about the first. */
const SLOTS = 10;
/** The number of hosts of one transaction of the log. */
const HOSTS_AT_ONCE = 100;

/**
 * Writes hosts with their series, an hour of the first metric until `to` (ms), and alerts. Of a database of rows the hour has minutes alone.
 */
export async function fillReading(
  sql: Sql,
  { hosts, alerts, metrics }: ReadingSize,
  to: number,
): Promise<void> {
  const [organization] = await sql<{ id: string }[]>`select id from organizations limit 1`;
  const org = organization?.id ?? '';
  await sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
    select ${org}, 'svc_' || lpad(to_hex(n), 32, '0'), 'read-' || lpad(n::text, 5, '0'),
      jsonb_build_object('region', 'eu-' || n % 7), now(), date_trunc('milliseconds', now())
    from generate_series(1, ${hosts}::int) n`;
  await sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    select organization_id, id, 'host', host, o,
      array(select case when i = 0 and o = 0 then 'cpu_percent' else 'metric_' || o * 16 + i end
        from generate_series(0, least(15, ${metrics}::int - 1 - o * 16)) i)
    from services, generate_series(0, (${metrics}::int - 1) / 16) o where host like 'read-%' order by host, o`;
  if ((await readSampleLayout(sql)) === 'log') await fillLog(sql, org, to);
  else await fillMinutes(sql, to);
  await sql`insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, threshold, value, value_at_fire, peak_value, summary, pending_since,
      fired_at, created_at, updated_at, context)
    select ${org}, 'alr_' || lpad(to_hex(n), 32, '0'), 'rul_' || lpad('1', 32, '0'), 'CPU is busy', 1,
      'svc_' || lpad(to_hex(1 + n % ${hosts}::int), 32, '0'), 'read-' || lpad((1 + n % ${hosts}::int)::text, 5, '0'), 'host',
      'read-' || lpad((1 + n % ${hosts}::int)::text, 5, '0'), (array['active', 'resolved'])[1 + n % 2],
      (array['firing', 'resolved'])[1 + n % 2], 'warning', 'cpu_percent', 'greater_than', 90, 93.5, 93.5, 99.1,
      'cpu_percent is 93.5, above 90.', t, t, t, t,
      '{"processes": [{"name": "java", "pid": 1, "cpu_percent": 90, "memory_rss": 1}], "containers": []}'
    from generate_series(1, ${alerts}::int) n
    cross join lateral (select ${to}::timestamptz - (n % ${DAY_MS / 1_000}) * interval '1 s' as t) x`;
  await sql`analyze services, service_names, blocks, rollup_1m, alerts, metric_counts`;
}

async function fillMinutes(sql: Sql, to: number): Promise<void> {
  await sql`insert into rollup_1m (bucket, block_id, sum0, cnt0, min0, max0)
    select ${to}::timestamptz - n * interval '1 minute', b.id, v, 1, v, v
    from generate_series(1, ${MINUTES}::int) n
    cross join (select id from blocks where ordinal = 0 and subject_name like 'read-%') b
    cross join lateral (select (hashint8(b.id::int8 * 1009 + n) & 1023) / 10.23::float8 as v) x`;
}

/** Writes samples 10 s apart: as chunks, and the last minutes as a log, by transactions of 100 hosts. */
async function fillLog(sql: Sql, organizationId: string, to: number): Promise<void> {
  const blocks = await sql<{ id: number; service: string }[]>`
    select id, service_id as service from blocks where ordinal = 0 and subject_name like 'read-%' order by id`;
  const from = to - MINUTES * MINUTE_MS;
  const sealedTo = to - UNSEALED_MINUTES * MINUTE_MS;
  const times = Float64Array.from(
    { length: (sealedTo - from) / STEP_MS },
    (_, index) => from + index * STEP_MS,
  );
  await writeChunks(
    sql,
    blocks.map(({ id }) => id),
    (id) =>
      columnsOf(
        times,
        Array.from({ length: SLOTS }, (_, slot) => times.map((at) => valueAt(id, slot, at))),
      ),
  );
  for (let time = sealedTo; time < to; time += STEP_MS)
    for (let start = 0; start < blocks.length; start += HOSTS_AT_ONCE) {
      const samples = blocks.slice(start, start + HOSTS_AT_ONCE).map(({ id, service }) => ({
        organizationId,
        serviceId: service,
        anchor: id,
        time,
        ids: [id],
        values: Array.from({ length: 16 }, (_, slot) =>
          slot < SLOTS ? valueAt(id, slot, time) : Number.NaN,
        ),
      }));
      await transact(sql, (tx) => appendLog(tx, samples));
    }
}

/** A number of two decimals that depends on its arguments alone. */
function valueAt(block: number, slot: number, time: number): number {
  const mixed = Math.imul(block * 1_009 + slot, 0x9e3779b1) ^ Math.imul(time / STEP_MS, 0x85ebca6b);
  return ((mixed >>> 8) % 10_000) / 100;
}
