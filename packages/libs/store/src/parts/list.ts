import type { HostPart } from '@tidewatch/contracts/parts/part-list';
import type { NameValue } from '@tidewatch/contracts/queries/name-values';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { readByCursor } from '../lists/by-cursor.ts';
import { contains } from '../lists/contains.ts';
import { type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';

/** The filter of a list of parts; undefined fields do not filter. */
export interface PartFilter {
  kind?: string | undefined;
  /** A pattern of the name, in which `*` matches any characters. */
  name?: string | undefined;
  /** A literal part of the name, case-insensitive. */
  q?: string | undefined;
  host?: string | undefined;
  /** Tags that the host must have. */
  tag: readonly NameValue[];
  /** Labels that the part must have. */
  label: readonly NameValue[];
}

/** The orders of the list, each by an index; together these columns identify a part, so they are the sort key. */
export const PART_ORDERS = {
  kind: ['kind', 'name', 'host'],
  host: ['host', 'kind', 'name'],
} as const;

export interface PartOrder {
  columns: (typeof PART_ORDERS)[keyof typeof PART_ORDERS];
  descending: boolean;
}

export type PartKey = readonly [string, string, string];

interface ListedRow extends Omit<HostPart, 'time'> {
  time: number;
}

/** A page of the parts that are there, of services that are listed, in an order. */
export async function listParts(
  sql: Sql,
  organizationId: string,
  filter: PartFilter,
  order: PartOrder,
  window: PageWindow<PartKey>,
): Promise<ListPart<HostPart>> {
  const rows = sql`select p.kind, p.name, p.host, p.id from parts p where ${condition(sql, organizationId, filter)}`;
  const part = await readPart<ListedRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`select count(*)::int as total from (${rows}) l`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const after = comesAfter(sql, order, window.after);
      const list = { rows, order: orderBy(sql, order, backwards), total: null, after, isIndexed: true };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, ${columns(sql)}
        from page join parts p on p.organization_id = ${organizationId} and p.id = page.id ${latestValues(sql)}
        order by ${orderBy(sql, order, false, 'p')}`;
    },
  );
  return { total: part.total, rows: part.rows.map(answer) };
}

/** Yields the whole list in order, in portions. */
export async function* exportParts(
  tx: Transaction,
  organizationId: string,
  filter: PartFilter,
  order: PartOrder,
): AsyncGenerator<HostPart[]> {
  const statement = tx`
    select ${columns(tx)} from parts p ${latestValues(tx)}
    where ${condition(tx, organizationId, filter)} order by ${orderBy(tx, order, false, 'p')}`;
  for await (const rows of readByCursor<ListedRow>(tx, statement)) yield rows.map(answer);
}

function columns(sql: Queryable): Fragment {
  return sql`p.service_id, p.host, p.kind, p.name, p.labels, v.metrics, coalesce(v.at, p.created_at) as time`;
}

/** Joins the latest values of a part `p` as `v`. */
function latestValues(sql: Queryable): Fragment {
  return sql`
    cross join lateral (
      select coalesce(jsonb_object_agg(m.metric, m.value), '{}') as metrics, max(m.at) as at
      from blocks b
      join block_latest l on l.block_id = b.id
      cross join lateral unnest(b.parts, b.metrics, l.vals, l.times) as m (part, metric, value, at)
      where b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part'
        and p.id = any(b.parts) and m.part = p.id and m.value is not null
    ) v`;
}

function condition(
  sql: Queryable,
  organizationId: string,
  { kind, name, q, host, tag, label }: PartFilter,
): Fragment {
  return sql`p.organization_id = ${organizationId} and p.listed and not p.gone
    ${kind === undefined ? sql`` : sql`and p.kind = ${kind}`}
    ${name === undefined ? sql`` : matchesPattern(sql, name)}
    ${contains(sql, q, { folded: sql`lower(p.name)`, text: sql`p.name` })}
    ${host === undefined ? sql`` : sql`and p.host = ${host}`}
    ${label.reduce((joined, each) => sql`${joined} and p.labels @> ${sql.json({ [each.name]: each.value })}`, sql``)}
    ${tag.reduce(
      (
        joined,
        each,
      ) => sql`${joined} and exists (select from service_tags t where t.organization_id = p.organization_id
        and t.name = ${each.name} and t.value = ${each.value} and t.host = p.host and t.id = p.service_id)`,
      sql``,
    )}`;
}

function matchesPattern(sql: Queryable, pattern: string): Fragment {
  if (!pattern.includes('*')) return sql`and p.name = ${pattern}`;
  return sql`and p.name like ${pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')}`;
}

function orderBy(
  sql: Queryable,
  { columns: [first, second, third], descending }: PartOrder,
  backwards = false,
  of?: string,
): Fragment {
  const direction = descending === backwards ? sql`` : sql`desc`;
  const name = (each: string) => sql(of === undefined ? each : `${of}.${each}`);
  return sql`${name(first)} ${direction}, ${name(second)} ${direction}, ${name(third)} ${direction}`;
}

function comesAfter(
  sql: Queryable,
  { columns: [first, second, third], descending }: PartOrder,
  after: PartKey | null,
): Fragment | null {
  if (after === null) return null;
  const row = sql`(${sql(first)}, ${sql(second)}, ${sql(third)})`;
  const key = sql`(${after[0]}, ${after[1]}, ${after[2]})`;
  return descending ? sql`and ${row} < ${key}` : sql`and ${row} > ${key}`;
}

function answer({ service_id, host, kind, name, labels, metrics, time }: ListedRow): HostPart {
  return { service_id, host, kind, name, labels, metrics, time: toIso(time) };
}
