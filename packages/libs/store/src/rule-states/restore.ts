import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Sql } from '@tidewatch/database/connection';

/** The block and slot of a metric of a host, container or part, and the time of its newest known sample. Times are ms. */
export interface MetricLatest {
  serviceId: string;
  subjectKind: 'host' | 'container' | 'part';
  subjectName: string;
  /** The name as it was sent; of parts as rules name it, such as `filesystem.used_percent`. */
  metric: string;
  blockId: number;
  slot: number;
  latestAt: number | null;
  /** The time of the newest known sample of the block, if it is one of parts. */
  blockLatestAt: number | null;
  /** The labels of a part; null for any other subject. */
  labels: Record<string, string> | null;
  /** When the writer last stored latest values of the block, ms, by the server's clock. */
  appliedAt: number | null;
}

const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);
const VALUE_OF_SLOT = `case x.slot ${SLOTS.map((slot) => `when ${slot} then s.v${slot}`).join(' ')} end`;
const NEWEST_BY_SLOT = `array[${SLOTS.map((slot) => `max(s."time") filter (where s.v${slot} is not null)`).join(', ')}]`;
/** SQL of the rows of a block after `x.after` up to `x.until`, including backfilled rows, which are evaluated too. */
const rowsAfter = (sql: Queryable, from: '>' | '>=') => {
  const rows = (table: string) =>
    `select * from ${table} s where s.block_id = x.block and s."time" ${from} x.after and s."time" <= x.until`;
  return sql.unsafe(`(${rows('samples')} union all ${rows('samples_backfill')} offset 0)`);
};
/**
 * The slots of a block arrive in different rows; a slot is found if its newest row is at most this much older than the
 * newest row of its block.
 */
const LAG_WITHIN_BLOCK_MS = 600_000;

/**
 * The newest sample time of each metric of the services and their containers, and of those of their parts that are among
 * `partMetrics`, as rules name them. Besides latest values, samples up to the service's `until` (ms) are read, since latest
 * values are stored later and may be missing after a crash.
 */
export async function readMetricLatest(
  sql: Sql,
  services: readonly { id: string; until: number }[],
  partMetrics: readonly string[],
): Promise<MetricLatest[]> {
  const untilOf = new Map(services.map(({ id, until }) => [id, until]));
  const ids = JSON.stringify([...untilOf.keys()]);
  const ofParts = partMetrics.length === 0 ? [] : readPartLatest(sql, ids, partMetrics);
  const ofOthers = await sql<MetricLatest[]>`
    select b.service_id as "serviceId", b.subject_kind as "subjectKind", b.subject_name as "subjectName", m.metric, b.id as "blockId", m.place::int - 1 as slot,
      l.applied_at as "appliedAt", m.time as "latestAt", null as "blockLatestAt", null as labels
    from blocks b
    left join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.metrics, l.times) with ordinality as m (metric, time, place)
    where b.service_id in (select json_array_elements_text(${ids}::text::json))
      and b.subject_kind in ('host', 'container') and m.metric <> ''`;
  const rows = [...ofOthers, ...(await ofParts)];
  const newest = new Map<number, { at: number | null; until: number }>();
  for (const row of rows) {
    const until = untilOf.get(row.serviceId) as number;
    if (row.latestAt !== null) row.latestAt = Math.min(row.latestAt, until);
    const known = newest.get(row.blockId)?.at ?? null;
    const own = row.blockLatestAt === null ? row.latestAt : Math.min(row.blockLatestAt, until);
    const at = own === null || (known !== null && known > own) ? known : own;
    newest.set(row.blockId, { at, until });
  }
  const beyond = await readNewestBeyond(sql, newest);
  for (const row of rows) {
    const time = beyond.get(row.blockId)?.[row.slot] ?? null;
    if (time !== null && (row.latestAt === null || time > row.latestAt)) row.latestAt = time;
  }
  return rows;
}

/** The metrics of parts among `metrics`; `serviceIds` is a JSON array. All parts of a host share blocks. */
function readPartLatest(sql: Sql, serviceIds: string, metrics: readonly string[]) {
  return sql<MetricLatest[]>`
    select b.service_id as "serviceId", 'part' as "subjectKind", p.kind || ':' || p.name as "subjectName",
      p.kind || '.' || m.metric as metric, b.id as "blockId", m.place::int - 1 as slot, l.applied_at as "appliedAt",
      m.time as "latestAt", (select max(t.time) from unnest(l.times) as t (time)) as "blockLatestAt", p.labels
    from blocks b
    left join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.metrics, b.parts, l.times) with ordinality as m (metric, part, time, place)
    join parts p on p.organization_id = b.organization_id and p.id = m.part
    where b.service_id in (select json_array_elements_text(${serviceIds}::text::json)) and b.subject_kind = 'part'
      and p.kind || '.' || m.metric = any(${metrics as string[]}::text[])`;
}

async function readNewestBeyond(sql: Sql, blocks: ReadonlyMap<number, { at: number | null; until: number }>) {
  if (blocks.size === 0) return new Map<number, (number | null)[]>();
  const wanted = [...blocks].map(([id, { at, until }]) => ({
    block: id,
    after: at === null ? '-infinity' : toIso(at - LAG_WITHIN_BLOCK_MS),
    until: toIso(until),
  }));
  const rows = await sql<{ id: number; times: (number | null)[] }[]>`
    select x.block as id, ${sql.unsafe(NEWEST_BY_SLOT)} as times
    from json_to_recordset(${JSON.stringify(wanted)}::text::json) as x(block integer, after timestamptz, until timestamptz)
    cross join lateral ${rowsAfter(sql, '>')} s
    group by x.block`;
  return new Map(rows.map((row) => [row.id, row.times]));
}

/** An alert instance whose stored state may be older than its samples. */
export interface StaleInstance {
  blockId: number;
  slot: number;
  evaluatedAt: number;
  until: number;
}

/**
 * Reads the samples of each instance from its `evaluatedAt` up to its `until` (ms), oldest first; `place` is its index in
 * `instances`.
 */
export async function readSamplesSince(
  sql: Queryable,
  instances: readonly StaleInstance[],
): Promise<{ place: number; time: number; value: number }[]> {
  if (instances.length === 0) return [];
  const wanted = instances.map((instance, place) => ({
    place,
    block: instance.blockId,
    slot: instance.slot,
    after: toIso(instance.evaluatedAt),
    until: toIso(instance.until),
  }));
  return sql<{ place: number; time: number; value: number }[]>`
    select x.place, s."time", v.value
    from json_to_recordset(${JSON.stringify(wanted)}::text::json)
      as x(place integer, block integer, slot integer, after timestamptz, until timestamptz)
    cross join lateral ${rowsAfter(sql, '>=')} s
    cross join lateral (select ${sql.unsafe(VALUE_OF_SLOT)} as value) v
    where v.value is not null
    order by x.place, s."time"`;
}
