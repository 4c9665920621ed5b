import type { Queryable } from '@tidewatch/database/connection';
import type { SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';
import type {
  ContainerPresence,
  HourOfSnapshots,
  SnapshotReader,
  SnapshotSpan,
  StoredList,
} from '../snapshot-reader.ts';
import { spansOf, timeText } from '../span-rows.ts';

/** What rows are read from: a view shows a role that is bound to an organization the rows of that one. */
export type SnapshotRelation = 'snapshots' | 'organization_snapshots';

/** The place of a span in what was asked. */
interface Placed {
  place: number;
}

/** A reader of snapshots that are stored as rows, with their lists as JSON. */
export function createRowSnapshots(relation: SnapshotRelation): SnapshotReader {
  return {
    async newest<M extends SnapshotMember>(
      sql: Queryable,
      spans: readonly SnapshotSpan[],
      member: M,
      max = 1,
    ) {
      if (spans.length === 0) return [];
      const column: SnapshotMember = member;
      const rows = await sql<(StoredList<M> & Placed)[]>`
        select r.place, n."time", n.list
        from ${spansOf(sql, spans)}
        cross join lateral (
          select s."time", s.${sql(column)} as list from ${sql(relation)} s
          where ${isWithin(sql)} and s.${sql(column)} is not null
          order by s."time" desc limit ${max}
        ) n
        order by r.place, n."time" desc`;
      return bySpan(spans, rows);
    },

    async newestTimes(sql, spans, member) {
      if (spans.length === 0) return [];
      const rows = await sql<({ time: number } & Placed)[]>`
        select r.place, n."time"
        from ${spansOf(sql, spans)}
        cross join lateral (
          select s."time" from ${sql(relation)} s
          where ${isWithin(sql)} and s.${sql(member)} is not null
          order by s."time" desc limit 1
        ) n`;
      const times = new Map(rows.map(({ place, time }) => [place, time]));
      return spans.map((_, place) => times.get(place) ?? null);
    },

    async lists<M extends SnapshotMember>(
      sql: Queryable,
      spans: readonly SnapshotSpan[],
      member: M,
      options?: { stepMs: number },
    ) {
      if (spans.length === 0) return [];
      const column: SnapshotMember = member;
      const newestOfSteps = ({ stepMs }: { stepMs: number }) => sql`
        and s."time" in (
          select max(s."time") from ${sql(relation)} s
          where ${isWithin(sql)} and s.${sql(column)} is not null
          group by date_bin(${`${stepMs} milliseconds`}::text::interval, s."time", timestamptz '1970-01-01 00:00:00+00'))`;
      const rows = await sql<(StoredList<M> & Placed)[]>`
        select r.place, n."time", n.list
        from ${spansOf(sql, spans)}
        cross join lateral (
          select s."time", s.${sql(column)} as list from ${sql(relation)} s
          where ${isWithin(sql)} and s.${sql(column)} is not null ${options === undefined ? sql`` : newestOfSteps(options)}
        ) n
        order by r.place, n."time"`;
      return bySpan(spans, rows);
    },

    async times(sql, { organizationId, serviceId, from, to }) {
      const rows = await sql<{ time: number }[]>`
        select s."time" from ${sql(relation)} s
        where s.organization_id = ${organizationId} and s.service_id = ${serviceId}
          and s."time" >= ${timeText(from)}::timestamptz and s."time" < ${timeText(to)}::timestamptz
        order by s."time"`;
      return Float64Array.from(rows, ({ time }) => time);
    },

    async containerPresence(sql, { organizationId, serviceId, from, to }, name): Promise<ContainerPresence> {
      const rows = await sql<{ time: number; hasIt: boolean }[]>`
        select s."time", s.containers @> jsonb_build_array(jsonb_build_object('name', ${name}::text)) as "hasIt"
        from ${sql(relation)} s
        where s.organization_id = ${organizationId} and s.service_id = ${serviceId} and s.containers is not null
          and s."time" >= ${timeText(from)}::timestamptz and s."time" < ${timeText(to)}::timestamptz
        order by s."time"`;
      return { at: Float64Array.from(rows, ({ time }) => time), hasIt: rows.map(({ hasIt }) => hasIt) };
    },

    async hours(sql, spans, member) {
      if (spans.length === 0) return [];
      const rows = await sql<(HourOfSnapshots & Placed)[]>`
        select r.place, date_bin(interval '1 hour', s."time", timestamptz '1970-01-01 00:00:00+00') as hour, count(*)::int as count
        from ${spansOf(sql, spans)}
        join ${sql(relation)} s on ${isWithin(sql)} and s.${sql(member)} is not null
        group by 1, 2 order by 1, 2`;
      return bySpan(spans, rows);
    },
  };
}

/** SQL of the condition that a row `s` is in the span `r`. */
const isWithin = (sql: Queryable) =>
  sql`s.organization_id = r.org and s.service_id = r.id and s."time" >= r.since and s."time" < r.until`;

/** The rows of each span, without their place. */
function bySpan<Row extends object>(
  spans: readonly SnapshotSpan[],
  rows: readonly (Row & Placed)[],
): Row[][] {
  const lists: Row[][] = spans.map(() => []);
  for (const { place, ...row } of rows) lists[place]?.push(row as unknown as Row);
  return lists;
}
