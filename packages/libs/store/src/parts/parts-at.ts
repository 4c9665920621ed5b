import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Queryable } from '@tidewatch/database/connection';

/** A part with what a payload had of it. */
export interface PartAt {
  kind: string;
  name: string;
  labels: Record<string, string>;
  metrics: Record<string, number>;
}

const SLOTS = Array.from({ length: 16 }, (_, slot) => `r.v${slot}`).join(', ');

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
  const rows = await sql<
    {
      at: number;
      kind: string;
      name: string;
      labels: Record<string, string>;
      metric: string;
      value: number;
    }[]
  >`
    with own as materialized (
      select id, parts, metrics from blocks
      where organization_id = ${organizationId} and service_id = ${serviceId} and subject_kind = 'part'
    ), newest as materialized (
      select max(n."time") as at
      from own cross join lateral (
        select r."time" from samples r where r.block_id = own.id and r."time" <= ${time} order by r."time" desc limit 1
      ) n
    )
    select newest.at, p.kind, p.name, p.labels, m.metric, m.value
    from newest
    cross join own
    join samples r on r.block_id = own.id and r."time" = newest.at
    cross join lateral unnest(own.parts, own.metrics, array[${sql.unsafe(SLOTS)}]) as m (part, metric, value)
    join parts p on p.organization_id = ${organizationId} and p.id = m.part
    where m.value is not null
    order by p.kind, p.name, m.metric`;
  const ofParts = Map.groupBy(rows, ({ kind, name }) => partSubject(kind, name));
  const list = [...ofParts.values()].map((own): PartAt => {
    const { kind, name, labels } = own[0] as (typeof own)[number];
    // `fromEntries` treats `__proto__` as an ordinary name.
    return { kind, name, labels, metrics: Object.fromEntries(own.map((row) => [row.metric, row.value])) };
  });
  return { time: rows[0]?.at ?? null, list };
}
