import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Queryable } from '@tidewatch/database/connection';
import { storedSeries } from '../series/stored-series.ts';

/** A part with what a payload had of it. */
export interface PartAt {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metrics: Record<string, number>;
}

interface Place {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metric: string;
  blockId: number;
  slot: number;
}

/**
 * The parts of a service in the newest payload at or before `time` (ms) that carried some, by kind and name, as far as raw samples are
 * kept; `time` of the answer: that of the payload, ms, or null. Labels are those of now, since earlier ones are not kept.
 */
export async function readPartsAt(
  sql: Queryable,
  organizationId: string,
  serviceId: string,
  time: number,
): Promise<{ time: number | null; list: PartAt[] }> {
  const places = await sql<Place[]>`
    select p.kind, p.name, p.labels, m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b
    cross join lateral unnest(b.parts, b.metrics) with ordinality as m (part, metric, place)
    join parts p on p.organization_id = b.organization_id and p.id = m.part
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'part'
    order by p.kind, p.name, m.metric`;
  const blockIds = new Set(places.map(({ blockId }) => blockId));
  const spans = Array.from(blockIds, (blockId) => ({
    blockId,
    from: Number.NEGATIVE_INFINITY,
    to: time + 1,
  }));
  const newest = [...(await storedSeries.newestTimes(sql, spans)).values()];
  if (newest.length === 0) return { time: null, list: [] };
  const at = newest.reduce((max, each) => Math.max(max, each));
  const values = await storedSeries.samples(
    sql,
    places.map(({ blockId, slot }) => ({ blockId, slot, from: at, to: at + 1 })),
  );
  const rows = places.flatMap((place, index) => {
    const value = values[index]?.values[0];
    return value === undefined ? [] : [{ ...place, value }];
  });
  const ofParts = Map.groupBy(rows, ({ kind, name }) => partSubject(kind, name));
  const list = [...ofParts.values()].map((own): PartAt => {
    const { kind, name, labels } = own[0] as (typeof own)[number];
    // `fromEntries` treats `__proto__` as an ordinary name.
    return { kind, name, labels, metrics: Object.fromEntries(own.map((row) => [row.metric, row.value])) };
  });
  return { time: rows.length === 0 ? null : at, list };
}
