import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** A part of a host as it is stored. Times in ms. */
export interface PartRow {
  serviceId: string;
  id: number;
  kind: string;
  name: string;
  labels: Record<string, string>;
  /** The sample time that the labels are from; null while there were none. */
  labelsAt: number | null;
  /** Whether it had no sample for a day before the newest one of its host's parts, which leaves it out of lists. */
  isGone: boolean;
  /** The time of its newest sample. */
  seenAt: number;
}

export type NewPart = Omit<PartRow, 'id' | 'seenAt'> & { host: string };

/** Reads all parts of the given services of one organization, those that stay away too, since their slots are kept. */
export function findParts(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<PartRow[]>`
    select p.service_id as "serviceId", p.id, p.kind, p.name, p.labels, p.labels_at as "labelsAt", p.gone as "isGone",
      coalesce(s.at, p.created_at) as "seenAt"
    from parts p
    left join (
      select m.part, max(m.at) as at
      from part_latest l
      cross join lateral unnest(l.parts, l.times) as m (part, at)
      where l.organization_id = ${organizationId} and l.service_id = any(${serviceIds as string[]}::text[])
      group by 1
    ) s on s.part = p.id
    where p.organization_id = ${organizationId} and p.service_id = any(${serviceIds as string[]}::text[])`;
}

/** Creates parts of one organization; returns their ids in order. A part that exists keeps its id and labels. */
export async function createParts(
  tx: Transaction,
  organizationId: string,
  parts: readonly NewPart[],
): Promise<number[]> {
  const rows = await tx<{ n: number; id: number }[]>`
    with wanted as materialized (
      select * from unnest(${parts.map(({ serviceId }) => serviceId)}::text[], ${parts.map(({ kind }) => kind)}::text[],
        ${parts.map(({ name }) => name)}::text[], ${parts.map(({ labels }) => JSON.stringify(labels))}::text[],
        ${parts.map(({ labelsAt }) => (labelsAt === null ? null : labelsAt / 1_000))}::float8[],
        ${parts.map(({ isGone }) => `${isGone}`)}::text[], ${parts.map(({ host }) => host)}::text[])
        with ordinality as w (service_id, kind, name, labels, labels_at, gone, host, n)
    ), made as (
      insert into parts (organization_id, service_id, kind, name, labels, labels_at, gone, host)
      select ${organizationId}, service_id, kind, name, labels::jsonb, to_timestamp(labels_at), gone::boolean, host
      from wanted order by service_id, kind collate "C", name collate "C"
      on conflict (organization_id, service_id, kind, name) do update set kind = excluded.kind
      returning id, service_id, kind, name
    )
    select w.n::integer as n, m.id from wanted w
    join made m on m.service_id = w.service_id and m.kind = w.kind collate "C" and m.name = w.name collate "C"`;
  const ids = new Array<number>(parts.length);
  for (const row of rows) ids[row.n - 1] = row.id;
  return ids;
}

/** Replaces what can change of parts: their labels, and whether they are gone. */
export async function updateParts(
  tx: Transaction,
  organizationId: string,
  parts: readonly Pick<PartRow, 'id' | 'labels' | 'labelsAt' | 'isGone'>[],
): Promise<void> {
  const rows = [...parts].sort((a, b) => a.id - b.id);
  await tx`
    update parts p set labels = w.labels::jsonb, labels_at = to_timestamp(w.labels_at), gone = w.gone::boolean
    from unnest(${rows.map(({ id }) => id)}::integer[], ${rows.map(({ labels }) => JSON.stringify(labels))}::text[],
      ${rows.map(({ labelsAt }) => (labelsAt === null ? null : labelsAt / 1_000))}::float8[],
      ${rows.map(({ isGone }) => `${isGone}`)}::text[]) as w (id, labels, labels_at, gone)
    where p.organization_id = ${organizationId} and p.id = w.id`;
}

/** The labels of those parts of a service that have one of the kinds and any labels. */
export function readPartLabels(
  sql: Queryable,
  {
    organizationId,
    serviceId,
    kinds,
  }: { organizationId: string; serviceId: string; kinds: readonly string[] },
) {
  return sql<Pick<PartRow, 'kind' | 'name' | 'labels'>[]>`
    select kind, name, labels from parts
    where organization_id = ${organizationId} and service_id = ${serviceId} and kind = any(${kinds as string[]}::text[])
      and labels <> '{}'`;
}
