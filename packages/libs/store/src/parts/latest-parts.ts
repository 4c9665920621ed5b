import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Queryable } from '@tidewatch/database/connection';
import { newerOf, type TailValues } from '../sample-log/tail-latest.ts';

/** A part with the latest value of each of its metrics; `time`: the newest of their sample times, ms. */
export interface LatestPart {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metrics: Record<string, number>;
  time: number;
}

/** A metric of a part with its value in `block_latest`, which may be older than what the log has. */
export interface PartValue {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metric: string;
  blockId: number;
  slot: number;
  value: number | null;
  time: number | null;
}

/** Every metric of the parts of a service that are not gone, by kind and name. */
export async function readPartValues(
  sql: Queryable,
  organizationId: string,
  serviceId: string,
): Promise<PartValue[]> {
  return await sql<PartValue[]>`
    select p.kind, p.name, p.labels, m.metric, b.id as "blockId", m.place::int - 1 as slot, m.value, m.at as time
    from blocks b
    left join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.parts, b.metrics, l.vals, l.times) with ordinality as m (part, metric, value, at, place)
    join parts p on p.organization_id = b.organization_id and p.id = m.part and not p.gone
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'part'
    order by p.kind, p.name, m.metric`;
}

/** The parts of a service with the newer of what is stored and of what the log has. */
export function latestParts(rows: readonly PartValue[], tail: ReadonlyMap<number, TailValues>): LatestPart[] {
  const newest = rows.flatMap((row) => {
    const stored = row.value === null || row.time === null ? null : { value: row.value, time: row.time };
    const own = newerOf(stored, tail.get(row.blockId)?.get(row.slot));
    return own === null ? [] : { ...row, ...own };
  });
  const ofParts = Map.groupBy(newest, ({ kind, name }) => partSubject(kind, name));
  return [...ofParts.values()].map((own): LatestPart => {
    const { kind, name, labels } = own[0] as (typeof own)[number];
    // `fromEntries` treats `__proto__` as an ordinary name.
    const metrics = Object.fromEntries(own.map(({ metric, value }) => [metric, value]));
    return { kind, name, labels, metrics, time: Math.max(...own.map(({ time }) => time)) };
  });
}
