import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { storedSeries } from '../series/stored-series.ts';
import type { ServiceRow } from './row.ts';

export type LiveValues = Pick<ServiceRow, 'last_seen' | 'cpu_percent' | 'memory_percent' | 'disk_percent'>;

const METRICS = ['cpu_percent', 'memory_percent', 'disk_percent'] as const;
type Metric = (typeof METRICS)[number];
/** SQL of the slot of each metric in a block `b`; null if it has none. */
const SLOTS = METRICS.map((metric) => `array_position(b.metrics, '${metric}') - 1 as ${metric}`).join(', ');

/**
 * The live values of services as of a time (ms), by id: the time of the newest sample, and the values of the hour before.
 * Null if raw samples do not reach back that far.
 */
export async function readLiveAsOf(
  sql: Queryable,
  organizationId: string,
  ids: readonly string[],
  asOf: number,
): Promise<Map<string, LiveValues>> {
  if (ids.length === 0) return new Map();
  const blocks = await sql<(Record<Metric, number | null> & { id: string; blockId: number })[]>`
    select b.service_id as id, b.id as "blockId", ${sql.unsafe(SLOTS)}
    from blocks b
    where b.organization_id = ${organizationId} and b.service_id = any(${ids as string[]}::text[]) and b.subject_kind = 'host'`;
  const places = blocks.flatMap(({ id, blockId, ...slots }) =>
    METRICS.flatMap((metric) => {
      const slot = slots[metric];
      return slot === null ? [] : [{ id, metric, blockId, slot }];
    }),
  );
  const to = asOf + 1;
  const spans = blocks.map(({ blockId }) => ({ blockId, from: Number.NEGATIVE_INFINITY, to }));
  const [times, values] = await Promise.all([
    storedSeries.newestTimes(sql, spans),
    storedSeries.newestValues(sql, places, { to, withinMs: HOUR_MS }),
  ]);
  const unknown = { last_seen: null, cpu_percent: null, memory_percent: null, disk_percent: null };
  const live = new Map<string, LiveValues>(ids.map((id) => [id, { ...unknown }]));
  for (const { id, blockId } of blocks) {
    const own = live.get(id);
    const time = times.get(blockId);
    if (own !== undefined && time !== undefined) own.last_seen = Math.max(own.last_seen ?? time, time);
  }
  for (const [index, { id, metric }] of places.entries())
    Object.assign(live.get(id) ?? {}, { [metric]: values[index]?.value ?? null });
  return live;
}
