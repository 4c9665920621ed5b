import type { PartSort } from '@tidewatch/contracts/parts/part-sort';
import type { Queryable } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';

/** What the list of parts is ordered by besides columns of parts, each from the latest values. */
type OrderedValue = { of: 'last_seen' } | { of: 'metric'; metric: string };

/**
 * An order of the list of parts. Its columns identify a part, so that they are the key of cursors. `rank` puts parts without
 * the value last in either direction, and `value` is that value, a number or ms since the epoch.
 */
export interface PartOrder {
  columns: readonly PartColumn[];
  /** Null where columns of parts are enough. */
  value: OrderedValue | null;
  descending: boolean;
}

type PartColumn = 'kind' | 'name' | 'host' | 'rank' | 'value';
export type PartKey = readonly (string | number)[];

const BY_KIND = ['kind', 'name', 'host'] as const;
const BY_COLUMN = { kind: BY_KIND, name: ['name', 'kind', 'host'], host: ['host', 'kind', 'name'] } as const;
const BY_VALUE = ['rank', 'value', ...BY_KIND] as const;

/** The order that a request asks for; `kind` is its filter. */
export function partOrder(sort: PartSort, kind: string | undefined): PartOrder {
  const { descending } = sort;
  if ('metric' in sort)
    return { columns: BY_VALUE, value: { of: 'metric', metric: sort.metric }, descending };
  if (sort.field === 'last_seen') return { columns: BY_VALUE, value: { of: 'last_seen' }, descending };
  // Of one kind both orders are the same, and the one by kind has an index.
  const isOfKind = sort.field === 'name' && kind !== undefined;
  return { columns: isOfKind ? BY_KIND : BY_COLUMN[sort.field], value: null, descending };
}

/** The types of the key of an order. */
export function keyShape({ columns }: PartOrder): ('string' | 'number')[] {
  return columns.map((column) => (column === 'rank' || column === 'value' ? 'number' : 'string'));
}

/** The key of a part of the answer. */
export function keyOfPart(
  part: { kind: string; name: string; host: string; metrics: Record<string, number>; time: string },
  { columns, value, descending }: PartOrder,
): PartKey {
  const own = value?.of === 'metric' ? part.metrics[value.metric] : Date.parse(part.time);
  const isMissing = own === undefined;
  return columns.map((column) => {
    if (column === 'rank') return Number(isMissing !== descending);
    return column === 'value' ? (own ?? 0) : part[column];
  });
}

/** Joins rank and value of parts `p` as `s`; of one host where `host` is given. */
export function joinValues(
  sql: Queryable,
  organizationId: string,
  { value, descending }: PartOrder,
  host: string | undefined,
): Fragment {
  if (value === null) return sql``;
  const ofHost =
    host === undefined
      ? sql``
      : sql`and l.service_id in (
          select service_id from parts where organization_id = ${organizationId} and host = ${host} and listed and not gone)`;
  // Half a microsecond more, since a double holds no millisecond exactly. Every part was seen.
  const [own, isMissing] =
    value.of === 'metric'
      ? [sql`l.own`, sql`l.own is null`]
      : [sql`floor(date_part('epoch', coalesce(l.own, p.created_at)) * 1000 + 0.0005)`, sql`false`];
  const chosen = sql`where l.organization_id = ${organizationId} ${ofHost}`;
  // A part has one slot of a metric. Positions in the block are found without a row for each of its sixteen slots.
  const values =
    value.of === 'metric'
      ? sql`select l.parts[s.slot] as part, l.vals[s.slot] as own
          from part_latest l cross join lateral unnest(array_positions(l.metrics, ${value.metric}::text)) as s (slot)
          ${chosen} and l.metrics @> array[${value.metric}]::text[] and l.vals[s.slot] is not null`
      : // Materialized, since each parallel worker would otherwise read all blocks.
        sql`with seen as materialized (
            select m.part, max(m.at) as own
            from part_latest l cross join lateral unnest(l.parts, l.times) as m (part, at)
            ${chosen} and m.at is not null group by m.part
          ) select * from seen`;
  return sql`
    left join (${values}) l on l.part = p.id
    cross join lateral (
      select ((${isMissing}) <> ${descending}::boolean)::int::float8 as rank, coalesce(${own}, 0) as value
    ) s`;
}

/** The columns of an order, qualified where `of` names the relation of rank and value, and that of the others. */
export function orderBy(
  sql: Queryable,
  { columns, descending }: PartOrder,
  backwards = false,
  of?: { values: string; parts: string },
): Fragment {
  const direction = descending === backwards ? sql`` : sql`desc`;
  return columns
    .map((column) => {
      if (of === undefined) return column;
      return `${column === 'rank' || column === 'value' ? of.values : of.parts}.${column}`;
    })
    .reduce<Fragment | null>(
      (joined, name) =>
        joined === null ? sql`${sql(name)} ${direction}` : sql`${joined}, ${sql(name)} ${direction}`,
      null,
    ) as Fragment;
}

/** The condition that leaves out the parts up to the one with the key `after`. */
export function comesAfter(
  sql: Queryable,
  { columns, descending }: PartOrder,
  after: PartKey | null,
): Fragment | null {
  if (after === null) return null;
  const list = (parts: readonly Fragment[]) => parts.reduce((joined, part) => sql`${joined}, ${part}`);
  const row = list(columns.map((column) => sql`${sql(column)}`));
  const key = list(after.map((value) => (typeof value === 'number' ? sql`${value}::float8` : sql`${value}`)));
  return descending ? sql`and (${row}) < (${key})` : sql`and (${row}) > (${key})`;
}
