import type { HostPart } from '@tidewatch/contracts/parts/part-list';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { cutRows, type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { storedSeries } from '../series/stored-series.ts';
import { type ListedRow, partAnswer } from './list.ts';
import { matchesFilter, type PartFilter } from './part-filter.ts';
import { comesAfter, orderBy, type PartKey, type PartOrder } from './part-order.ts';

/** A part of a page; `time`: when it was first seen, ms. */
interface PartRow extends Omit<ListedRow, 'metrics'> {
  part_id: number;
}

/**
 * The list of parts as of a time (ms), in an order by columns of parts: those that were in it then, with the tags that their hosts had,
 * and the labels of now. Parts that have not changed since are read by the index of the order, the others from the version that was
 * valid then.
 */
export async function listPartsAsOf(
  sql: Sql,
  organizationId: string,
  filter: PartFilter,
  asOf: number,
  order: PartOrder,
  window: PageWindow<PartKey>,
): Promise<ListPart<HostPart>> {
  const own = sql`p.organization_id = ${organizationId} and p.created_at <= ${asOf}
    ${matchesFilter(sql, filter)} ${hadTags(sql, organizationId, filter, asOf)}`;
  const unchanged = sql`from parts p
    where ${own} and p.listed and not p.gone and p.id not in (select part_id from changed)`;
  const asTheyWere = sql`from changed v join parts p on p.id = v.part_id where ${own} and v.listed and not v.gone`;
  const total = sql`(select count(*) ${unchanged}) + (select count(*) ${asTheyWere})`;
  const changed = changedSince(sql, organizationId, asOf);
  const part = await readPart<PartRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`with ${changed} select (${total})::int as total`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const by = orderBy(sql, order, backwards);
      const after = comesAfter(sql, order, window.after) ?? sql``;
      // Each half has a limit of its own, because PostgreSQL would otherwise sort the whole union.
      const [some, others] = [unchanged, asTheyWere].map((half) =>
        cutRows(
          sql,
          { rows: sql`select p.kind, p.name, p.host, p.id ${half} ${after}`, order: by },
          0,
          skip + take,
        ),
      ) as [Fragment, Fragment];
      const rows = sql`select * from ((${some}) union all (${others})) l where true`;
      const list = { rows, order: by, total, after: null };
      return sql`
        with ${changed}, ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, p.id as part_id, p.service_id, p.host, p.kind, p.name, p.labels,
          p.created_at as time
        from page join parts p on p.organization_id = ${organizationId} and p.id = page.id
        order by ${orderBy(sql, order, false, { values: 'page', parts: 'p' })}`;
    },
  );
  const rows = await withValues(sql, organizationId, part.rows, asOf);
  return { total: part.total, rows: rows.map(partAnswer) };
}

/** The common table expression `changed`: the version at `asOf` of every part that changed since. */
function changedSince(sql: Sql, organizationId: string, asOf: number): Fragment {
  return sql`changed as materialized (
    select distinct on (part_id) part_id, listed, gone from part_versions
    where organization_id = ${organizationId} and until > ${asOf} order by part_id, number
  )`;
}

/** The condition that the host of `parts p` had the tags of the filter at `asOf`. */
function hadTags(sql: Sql, organizationId: string, { tag }: PartFilter, asOf: number): Fragment {
  if (tag.length === 0) return sql``;
  return sql`and p.service_id in (
    select s.id from services s
    left join (
      select distinct on (service_id) service_id, tags from service_versions
      where organization_id = ${organizationId} and until > ${asOf} order by service_id, number
    ) v on v.service_id = s.id
    where s.organization_id = ${organizationId} ${tag.reduce(
      (joined, { name, value }) =>
        sql`${joined} and coalesce(v.tags, s.tags) @> ${sql.json({ [name]: value })}`,
      sql``,
    )})`;
}

/**
 * Gives parts their values at `asOf`: of each metric the newest of the last day of its block, since a part without samples for longer is
 * gone.
 */
async function withValues(
  sql: Sql,
  organizationId: string,
  parts: readonly PartRow[],
  asOf: number,
): Promise<ListedRow[]> {
  const places = await sql<{ part: number; metric: string; blockId: number; slot: number }[]>`
    select m.part, m.metric, b.id as "blockId", m.place::int - 1 as slot
    from parts p
    join blocks b on b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part'
      and p.id = any(b.parts)
    cross join lateral unnest(b.parts, b.metrics) with ordinality as m (part, metric, place)
    where p.organization_id = ${organizationId} and p.id = any(${parts.map(({ part_id }) => part_id)}::int[]) and m.part = p.id
    order by length(m.metric), m.metric`;
  const values = await storedSeries.newestValues(sql, places, { to: asOf + 1, withinMs: DAY_MS });
  const found = places.flatMap((place, index) => {
    const newest = values[index] ?? null;
    return newest === null ? [] : [{ ...place, ...newest }];
  });
  const ofParts = Map.groupBy(found, ({ part }) => part);
  return parts.map((row) => {
    const own = ofParts.get(row.part_id) ?? [];
    // `fromEntries` treats `__proto__` as an ordinary name.
    const metrics = Object.fromEntries(own.map(({ metric, value }) => [metric, value]));
    const time = own.length === 0 ? row.time : Math.max(...own.map((each) => each.time));
    return { ...row, metrics, time };
  });
}
