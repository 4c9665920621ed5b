import type { Queryable, Sql } from '@tidewatch/database/connection';
import { storedSeries } from '../series/stored-series.ts';

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
    const time = beyond.get(row.blockId)?.[row.slot] ?? Number.NaN;
    if (time > (row.latestAt ?? Number.NEGATIVE_INFINITY)) row.latestAt = time;
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

/** The newest times by slot of blocks after what is known of them, including backfilled rows, which are evaluated too. */
async function readNewestBeyond(sql: Sql, blocks: ReadonlyMap<number, { at: number | null; until: number }>) {
  const spans = [...blocks].map(([blockId, { at, until }]) => ({
    blockId,
    from: at === null ? Number.NEGATIVE_INFINITY : at - LAG_WITHIN_BLOCK_MS + 1,
    to: until + 1,
  }));
  return await storedSeries.newestBySlot(sql, spans);
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
  const spans = instances.map(({ blockId, slot, evaluatedAt, until }) => ({
    blockId,
    slot,
    from: evaluatedAt,
    to: until + 1,
  }));
  // Backfilled samples are evaluated too.
  const found = await storedSeries.samples(sql, spans, { withBackfill: true });
  return found.flatMap(({ times, values }, place) =>
    Array.from(times, (time, index) => ({ place, time, value: values[index] as number })),
  );
}
