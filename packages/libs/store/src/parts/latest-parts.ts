import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Queryable } from '@tidewatch/database/connection';

/** A part with the latest value of each of its metrics; `time`: the newest of their sample times, ms. */
export interface LatestPart {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metrics: Record<string, number>;
  time: number;
}

/** The parts of a service by kind and name, with their latest values, but for those that are gone. */
export async function readLatestParts(
  sql: Queryable,
  organizationId: string,
  serviceId: string,
): Promise<LatestPart[]> {
  const rows = await sql<
    {
      kind: string;
      name: string;
      labels: Record<string, string>;
      metric: string;
      value: number;
      time: number;
    }[]
  >`
    select p.kind, p.name, p.labels, m.metric, m.value, m.at as time
    from blocks b
    join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.parts, b.metrics, l.vals, l.times) as m (part, metric, value, at)
    join parts p on p.organization_id = b.organization_id and p.id = m.part and not p.gone
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'part' and m.value is not null
    order by p.kind, p.name, m.metric`;
  const ofParts = Map.groupBy(rows, ({ kind, name }) => partSubject(kind, name));
  return [...ofParts.values()].map((own): LatestPart => {
    const { kind, name, labels } = own[0] as (typeof own)[number];
    // `fromEntries` treats `__proto__` as an ordinary name.
    const metrics = Object.fromEntries(own.map(({ metric, value }) => [metric, value]));
    return { kind, name, labels, metrics, time: Math.max(...own.map(({ time }) => time)) };
  });
}
