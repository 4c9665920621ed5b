import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** A part of a host as it is stored, with its labels; `labelsAt`: the sample time that they are from, ms, or null. */
export interface PartRow {
  serviceId: string;
  id: number;
  kind: string;
  name: string;
  labels: Record<string, string>;
  labelsAt: number | null;
}

export type NewPart = Omit<PartRow, 'id'>;

/** Reads all parts of the given services of one organization, those that stay away too, since their slots are kept. */
export function findParts(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<PartRow[]>`
    select service_id as "serviceId", id, kind, name, labels, labels_at as "labelsAt"
    from parts where organization_id = ${organizationId} and service_id = any(${serviceIds as string[]}::text[])`;
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
        ${parts.map(({ labelsAt }) => (labelsAt === null ? null : labelsAt / 1_000))}::float8[])
        with ordinality as w (service_id, kind, name, labels, labels_at, n)
    ), made as (
      insert into parts (organization_id, service_id, kind, name, labels, labels_at)
      select ${organizationId}, service_id, kind, name, labels::jsonb, to_timestamp(labels_at)
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

/** Replaces the labels of parts. */
export async function writeLabels(
  tx: Transaction,
  organizationId: string,
  parts: readonly Pick<PartRow, 'id' | 'labels' | 'labelsAt'>[],
): Promise<void> {
  const rows = [...parts].sort((a, b) => a.id - b.id);
  await tx`
    update parts p set labels = w.labels::jsonb, labels_at = to_timestamp(w.labels_at)
    from unnest(${rows.map(({ id }) => id)}::integer[], ${rows.map(({ labels }) => JSON.stringify(labels))}::text[],
      ${rows.map(({ labelsAt }) => (labelsAt === null ? null : labelsAt / 1_000))}::float8[]) as w (id, labels, labels_at)
    where p.organization_id = ${organizationId} and p.id = w.id`;
}
