import type { Queryable } from '@tidewatch/database/connection';
import { ChunkReader } from '@tidewatch/domain/chunk/chunk';
import { PEEKED_BYTES } from '@tidewatch/domain/chunk/slot-parts';
import { SqlParameters } from '../../rows/sql-parameters.ts';
import type { BlockSpan, KnownBlocks } from '../../series-columns.ts';
import { dateOf, dayAfter, dayOf, SAMPLE_DAYS } from './day-relations.ts';
import { DecodedPiece, readParts } from './fetched-rows.ts';
import { type KnownChunks, readKnown } from './known-chunks.ts';
import { outerRange } from './read-columns.ts';
import { firstAtOrAfter } from './sorted-times.ts';
import type { StoredRow } from './stored-rows.ts';

/** Whether the first or the last time of a span is wanted. */
export type Edge = 'first' | 'last';

type Row = [span: number, kind: number, at: number, size: number, bytes: Buffer | null, version: string];

const CHUNK = 0;

/** Reads the first or the last time of a row of each block in its span, ms; blocks without one are left out. */
export async function readEdgeTimes(
  tx: Queryable,
  spans: readonly BlockSpan[],
  edge: Edge,
  known?: KnownBlocks,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  const own = spans.filter(({ from, to }) => from < to);
  if (own.length === 0) return found;
  const blockIds = [...new Set(own.map(({ blockId }) => blockId))];
  // The log is read before chunks, into which a seal moves what it has.
  const { tail } = (known ?? (await readKnown(tx, blockIds, outerRange(own)))) as KnownChunks;
  const add = (span: BlockSpan, times: Float64Array) => {
    const time = edgeIn(times, span, edge);
    const before = found.get(span.blockId);
    if (time === null || (before !== undefined && (edge === 'last' ? before >= time : before <= time)))
      return;
    found.set(span.blockId, time);
  };
  const rows = await readEdgeRows(tx, own, edge);
  const days: StoredRow[] = [];
  const spanOf: BlockSpan[] = [];
  for (const [index, kind, at, size, bytes, version] of rows) {
    const span = own[index] as BlockSpan;
    if (kind !== CHUNK) {
      const own = { relation: SAMPLE_DAYS, blockId: span.blockId, at, size, version };
      days.push({ ...own, bytes: bytes as Buffer });
      spanOf.push(span);
    } else if (bytes === null) add(span, Float64Array.of(Math.round(at)));
    else add(span, new ChunkReader(bytes).times());
  }
  for (const [index, row] of (await readParts(tx, days, () => 0)).entries())
    if (row !== null) add(spanOf[index] as BlockSpan, DecodedPiece.ofRow(row).times());
  for (const span of own) add(span, tail.of(span.blockId)?.times() ?? new Float64Array());
  return found;
}

function edgeIn(times: Float64Array, { from, to }: BlockSpan, edge: Edge): number | null {
  const index = edge === 'first' ? firstAtOrAfter(times, from) : firstAtOrAfter(times, to) - 1;
  const time = times[index];
  return time !== undefined && time >= from && time < to ? time : null;
}

/**
 * Reads for each span the outermost chunk, with its bytes only where its first (or last) row is outside of the span, and the outermost
 * closed days beyond it: two, since all rows of one may lie outside of the span.
 */
async function readEdgeRows(tx: Queryable, spans: readonly BlockSpan[], edge: Edge): Promise<Row[]> {
  const parameters = new SqlParameters();
  const isLast = edge === 'last';
  const range = outerRange(spans);
  const [first, last] = [parameters.time(dayOf(range.from)), parameters.time(range.to)];
  const dates = (days: readonly number[]) => `${parameters.add(days.map(dateOf))}::text[]::date[]`;
  const [firstDay, lastDay] = [dayOf(range.from), dayAfter(range.to)].map(
    (day) => `${parameters.add(dateOf(day))}::text::date`,
  );
  const utcDay = `(c.first at time zone 'UTC')::date`;
  const order = isLast ? 'desc' : '';
  return (await tx
    .unsafe(
      `select p.span, x.*
      from unnest(${parameters.integers(spans.map((_, index) => index))}, ${parameters.integers(spans.map(({ blockId }) => blockId))},
        ${parameters.times(spans.map(({ from }) => dayOf(from)))}, ${parameters.times(spans.map(({ from }) => from))},
        ${parameters.times(spans.map(({ to }) => to))}, ${dates(spans.map(({ from }) => dayOf(from)))},
        ${dates(spans.map(({ to }) => dayAfter(to)))}) as p (span, block_id, day, a, b, day_a, day_b)
      left join lateral (
        select s.first, s.last, s.data from sample_chunks s
        where s.block_id = p.block_id and s.first >= p.day and s.first < p.b and s.last >= p.a
          and s.first >= ${first} and s.first < ${last}
        order by s.first ${order} limit 1
      ) c on true
      cross join lateral (
        select ${CHUNK} as kind, date_part('epoch', c.${isLast ? 'last' : 'first'}) * 1000 as at, 0 as size,
          case when ${isLast ? 'c.last >= p.b' : 'c.first < p.a'} then c.data end as bytes, '' as version
        where c.first is not null
        union all
        (select 1, (s.day - date '1970-01-01') * 86400000::float8, octet_length(s.data), substring(s.data for ${PEEKED_BYTES}), s.xmin::text
          from sample_days s
          where s.block_id = p.block_id and s.day >= p.day_a and s.day < p.day_b and s.day >= ${firstDay} and s.day < ${lastDay}
            and (c.first is null or s.day ${isLast ? '>=' : '<='} ${utcDay})
          order by s.day ${order} limit 2)
      ) x`,
      parameters.values as never[],
      { prepare: true },
    )
    .values()) as unknown as Row[];
}
