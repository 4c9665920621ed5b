import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';
import { logBucketOf } from '../../sample-log/buckets.ts';
import type { SnapshotSpan } from '../snapshot-reader.ts';
import { spansOf } from '../span-rows.ts';
import { fromStoredBytes } from './stored-bytes.ts';

/** Bytes of snapshots, among which are those of a span, with the place of the span. */
export interface FoundPack {
  place: number;
  seq: number;
  pack: Buffer;
}

/**
 * The rows of the log that may have snapshots of the spans, in the order of their numbers. They have to be read before chunks: whatever a
 * seal moves in between is then read twice rather than missed. `offset 0` here and below keeps the planner from reading whole relations,
 * since it does not know how few spans there are.
 */
export async function readTail(sql: Queryable, spans: readonly SnapshotSpan[]): Promise<FoundPack[]> {
  if (spans.length === 0) return [];
  const groups = new Map<string, { span: SnapshotSpan; bucket: number; places: number[] }>();
  for (const [place, span] of spans.entries()) {
    const bucket = logBucketOf(span.serviceId);
    const key = `${bucket}\0${span.organizationId}`;
    const group = groups.get(key) ?? { span: { ...span }, bucket, places: [] };
    group.span.from = Math.min(group.span.from, span.from);
    group.span.to = Math.max(group.span.to, span.to);
    group.places.push(place);
    groups.set(key, group);
  }
  const asked = [...groups.values()];
  const buckets = asked.map(({ bucket }) => bucket);
  const rows = await sql<{ group: number; seq: number; data: Buffer }[]>`
    select r.place as group, l.seq, l.data
    from ${spansOf(
      sql,
      asked.map(({ span }) => span),
    )}
    cross join lateral (
      select seq, data from snapshot_log
      where bucket = (${buckets}::smallint[])[r.place + 1] and organization_id = r.org and first < r.until and last >= r.since
      offset 0
    ) l
    order by l.seq`;
  return rows.flatMap(({ group, seq, data }) => {
    const pack = fromStoredBytes(data);
    return (asked[group]?.places ?? []).map((place) => ({ place, seq, pack }));
  });
}

/** The chunks that may have snapshots of the spans, or lists of the member, in the order of their numbers. */
export async function readChunks(
  sql: Queryable,
  spans: readonly SnapshotSpan[],
  member?: SnapshotMember,
): Promise<FoundPack[]> {
  if (spans.length === 0) return [];
  const rows = await sql<{ place: number; seq: number; data: Buffer }[]>`
    select r.place, c.seq, c.data
    from ${spansOf(sql, spans)}
    cross join lateral (
      select seq, data from snapshot_chunks
      where organization_id = r.org and service_id = r.id
        and first >= r.since - ${LENGTH}::interval and first < r.until and last >= r.since
        ${member === undefined ? sql`` : sql`and ${sql(member)} > 0`}
      offset 0
    ) c
    order by c.seq`;
  return rows.map(({ data, ...found }) => ({ ...found, pack: fromStoredBytes(data) }));
}

/** The begin (ms) of the newest chunk of each span that has lists of the member and may reach into the span; null without one. */
export async function findNewestChunks(
  sql: Queryable,
  spans: readonly SnapshotSpan[],
  member: SnapshotMember,
): Promise<(number | null)[]> {
  if (spans.length === 0) return [];
  const rows = await sql<{ place: number; first: number }[]>`
    select r.place, n.first
    from ${spansOf(sql, spans)}
    cross join lateral (
      select c.first from snapshot_chunks c
      where c.organization_id = r.org and c.service_id = r.id and c.${sql(member)} > 0
        and c.first >= r.since - ${LENGTH}::interval and c.first < r.until and c.last >= r.since
      order by c.first desc limit 1
    ) n`;
  const firsts = new Map(rows.map(({ place, first }) => [place, first]));
  return spans.map((_, place) => firsts.get(place) ?? null);
}

/** The number of lists of the member in the chunks of each span and hour, also outside the span but in the same chunk. */
export async function countChunks(sql: Queryable, spans: readonly SnapshotSpan[], member: SnapshotMember) {
  if (spans.length === 0) return [];
  return await sql<{ place: number; hour: number; count: number }[]>`
    select r.place, date_bin(interval '1 hour', c.first, timestamptz '1970-01-01 00:00:00+00') as hour, sum(c.lists)::integer as count
    from ${spansOf(sql, spans)}
    cross join lateral (
      select first, ${sql(member)} as lists from snapshot_chunks
      where organization_id = r.org and service_id = r.id and ${sql(member)} > 0
        and first >= r.since - ${LENGTH}::interval and first < r.until and last >= r.since
      offset 0
    ) c
    group by 1, 2`;
}

/** The max time between the first and the last snapshot of a chunk: none crosses an hour. */
const LENGTH = `${HOUR_MS} milliseconds`;
