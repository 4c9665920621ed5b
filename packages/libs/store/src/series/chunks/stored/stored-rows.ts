import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { readBinary } from '@tidewatch/database/copy/read-binary';
import { cutSql, PEEKED_BYTES } from '@tidewatch/domain/chunk/slot-parts';
import { SqlParameters } from '../../rows/sql-parameters.ts';
import type { BlockSpan, Range } from '../../series-columns.ts';
import { type BucketRows, NO_ROWS } from './cached-log.ts';
import { DAY_RELATIONS, type DayRelation, dateOf, dayAfter, dayOf } from './day-relations.ts';
import { type AskedBucket, foundRows, logStatement } from './log-buckets.ts';

/** A row of a block and a day (or month), whole if it is small, or else its first bytes. */
export interface StoredRow {
  relation: DayRelation;
  blockId: number;
  /** The start of the day or month, ms. */
  at: number;
  /** The length of the whole row, bytes. */
  size: number;
  bytes: Buffer;
  /** The transaction that wrote the row. */
  version: string;
}

export interface RowSpan extends BlockSpan {
  /** Whether large rows are read whole. */
  readonly isWhole: boolean;
}

export interface ChunkSpan extends BlockSpan {
  /** Bit n is set if slot n is wanted. */
  readonly mask: number;
}

/** Chunks of a block: for each span those in order of time, behind each other. */
export interface BlockChunks {
  readonly bytes: Buffer[];
  /** The slot to which they are cut; null if they are whole. */
  readonly cutTo: number | null;
}

/** What to read in one statement. */
export interface StoredRequest {
  /** These buckets of the log, if they have rows in the range; null if they are known. */
  log: { asked: readonly AskedBucket[]; range: Range } | null;
  chunks: readonly ChunkSpan[];
  rows: readonly { relation: DayRelation; spans: readonly RowSpan[] }[];
}

export interface Stored {
  /** The rows of buckets of the log. */
  log: BucketRows[];
  /** The chunks of each block that overlap its spans. */
  chunks: Map<number, BlockChunks>;
  rows: StoredRow[];
}

type Row = [kind: number, blockId: number, at: number, size: number, bytes: Buffer | null, version: string];

/** From this number of blocks or buckets on, planning the statement again costs less than bytes as text. */
const MANY = 128;
const LOG = -1;
const CHUNKS = -2;
/** In place of a slot: chunks are not cut. */
const WHOLE = -1;
/** Up to this length a row of a day is read whole: an index entry and a page cost as much. */
const SMALL_ROW_BYTES = 4_096;
/** Of few rows longer ones are read whole, so many bytes together: a second statement costs more. */
const MAX_WHOLE_BYTES = 131_072;

/** Reads rows of the log, chunks and rows of days by one statement, and so in one snapshot. */
export async function readStored(tx: Queryable, request: StoredRequest): Promise<Stored> {
  const stored: Stored = { log: [], chunks: new Map(), rows: [] };
  const parameters = new SqlParameters();
  const parts: string[] = [];
  const asked = request.log?.asked ?? [];
  if (request.log !== null && asked.length > 0) {
    const { index, data, found, from } = logStatement(asked, request.log.range, parameters);
    parts.push(`select ${LOG}, (${index})::integer, 0::float8, 0, ${data}, ${found} from ${from}`);
  }
  for (const [slot, spans] of bySlot(request.chunks)) parts.push(chunksStatement(spans, slot, parameters));
  for (const { relation, spans } of request.rows)
    if (spans.length > 0) parts.push(rowsStatement(relation, spans, parameters));
  if (parts.length === 0) return stored;
  const found = await readRows(
    tx,
    parts.join(' union all '),
    parameters,
    Math.max(request.chunks.length, asked.length),
  );
  let isKnown = true;
  for (const [kind, id, at, size, data, version] of found) {
    const bytes = data as Buffer;
    if (kind === LOG) {
      const own = asked[id] as AskedBucket;
      const rows = foundRows(own, version, data);
      if (rows !== null) stored.log.push(rows);
      else {
        own.known = NO_ROWS;
        isKnown = false;
      }
    } else if (kind === CHUNKS) addChunks(stored.chunks, id, bytes, size === WHOLE ? null : size);
    else
      stored.rows.push({
        relation: DAY_RELATIONS[kind] as DayRelation,
        blockId: id,
        at,
        size,
        bytes,
        version,
      });
  }
  // Everything is read again, since the caller may have no snapshot.
  return isKnown ? stored : await readStored(tx, request);
}

async function readRows(
  tx: Queryable,
  query: string,
  { values }: SqlParameters,
  count: number,
): Promise<Row[]> {
  if (count < MANY)
    return (await tx.unsafe(query, values as never[], { prepare: true }).values()) as unknown as Row[];
  return (await readBinary(tx, query, values)).map(([kind, id, at, size, bytes, version]) => [
    (kind as Buffer).readInt32BE(),
    (id as Buffer).readInt32BE(),
    (at as Buffer).readDoubleBE(),
    (size as Buffer).readInt32BE(),
    bytes as Buffer | null,
    (version as Buffer).toString(),
  ]);
}

function addChunks(
  chunks: Map<number, BlockChunks>,
  blockId: number,
  bytes: Buffer,
  cutTo: number | null,
): void {
  const own = chunks.get(blockId);
  if (own === undefined) chunks.set(blockId, { bytes: [bytes], cutTo });
  else own.bytes.push(bytes);
}

/** The spans by the slot to which their chunks are cut; by WHOLE if that does not pay or several slots are wanted. */
function bySlot(spans: readonly ChunkSpan[]): Map<number, ChunkSpan[]> {
  if (spans.length < MANY) return Map.groupBy(spans, () => WHOLE);
  return Map.groupBy(spans, ({ mask }) => {
    const isOne = mask !== 0 && (mask & (mask - 1)) === 0;
    return isOne ? 31 - Math.clz32(mask) : WHOLE;
  });
}

/** One row for each span, since a row for each chunk costs more than its bytes. */
function chunksStatement(spans: readonly BlockSpan[], slot: number, parameters: SqlParameters): string {
  const { from, to } = spans[0] as BlockSpan;
  const isShared = spans.every((span) => span.from === from && span.to === to);
  const ids = parameters.integers(spans.map(({ blockId }) => blockId));
  // No chunk crosses midnight, so that one that overlaps the span begins on its first day or later.
  const statement = (
    places: string,
    within: string,
  ) => `select ${CHUNKS}, p.block_id, 0::float8, ${slot}, c.data, ''
    from ${places} cross join lateral (
      select string_agg(${slot === WHOLE ? 's.data' : cutSql('s.data', slot)}, '' order by s.first) as data from sample_chunks s
      where s.block_id = p.block_id and ${within}
    ) c where c.data is not null`;
  if (isShared) {
    const [day, first, end] = [dayOf(from), from, to].map((time) => parameters.time(time));
    return statement(
      `unnest(${ids}) as p (block_id)`,
      `s.first >= ${day} and s.first < ${end} and s.last >= ${first}`,
    );
  }
  const days = spans.map((span) => dayOf(span.from));
  const first = parameters.time(days.reduce((min, day) => Math.min(min, day)));
  const last = parameters.time(spans.reduce((max, span) => Math.max(max, span.to), Number.NEGATIVE_INFINITY));
  return statement(
    `unnest(${ids}, ${parameters.times(days)}, ${parameters.times(spans.map((span) => span.from))},
      ${parameters.times(spans.map((span) => span.to))}) as p (block_id, day, a, b)`,
    `s.first >= p.day and s.first < p.b and s.last >= p.a and s.first >= ${first} and s.first < ${last}`,
  );
}

function rowsStatement(relation: DayRelation, spans: readonly RowSpan[], parameters: SqlParameters): string {
  const { index, column } = relation;
  const starts = spans.map(({ from }) => relation.startOf(from));
  const ends = spans.map(({ to }) => dayAfter(to));
  const date = (time: number) => `${parameters.add(dateOf(time))}::text::date`;
  const first = date(starts.reduce((min, day) => Math.min(min, day), Number.POSITIVE_INFINITY));
  const last = date(ends.reduce((max, day) => Math.max(max, day), Number.NEGATIVE_INFINITY));
  const days = starts.reduce((sum, start, span) => sum + ((ends[span] as number) - start) / DAY_MS, 0);
  const small = parameters.integers([Math.max(SMALL_ROW_BYTES, Math.floor(MAX_WHOLE_BYTES / days) || 0)]);
  const { places, whole, within } = rowPlaces(spans, starts, ends, parameters);
  return `select ${index}, r.block_id, (r.${column} - date '1970-01-01') * 86400000::float8, octet_length(r.data),
      case when ${whole} or octet_length(r.data) <= (${small})[1] then r.data else substring(r.data for ${PEEKED_BYTES}) end,
      r.version
    from ${places}
    cross join lateral (
      select s.block_id, s.${column}, s.data, s.xmin::text as version from ${relation.name} s
      where s.block_id = p.block_id and ${within(`s.${column}`)} s.${column} >= ${first} and s.${column} < ${last}
      offset 0
    ) r`;
}

/** The blocks of spans as relation `p`, with the condition of each on a day. Spans of a fleet are alike, so that their blocks say all. */
function rowPlaces(
  spans: readonly RowSpan[],
  starts: readonly number[],
  ends: readonly number[],
  parameters: SqlParameters,
): { places: string; whole: string; within: (day: string) => string } {
  const ids = parameters.integers(spans.map(({ blockId }) => blockId));
  const [start, end, isWhole] = [starts[0], ends[0], spans[0]?.isWhole];
  if (spans.every((span, at) => starts[at] === start && ends[at] === end && span.isWhole === isWhole))
    return { places: `unnest(${ids}) as p (block_id)`, whole: String(isWhole), within: () => '' };
  const dates = (times: readonly number[]) => `${parameters.add(times.map(dateOf))}::text[]::date[]`;
  const areWhole = parameters.add(spans.map((span) => String(span.isWhole)));
  return {
    places: `unnest(${ids}, ${dates(starts)}, ${dates(ends)}, ${areWhole}::text[]::boolean[]) as p (block_id, a, b, whole)`,
    whole: 'p.whole',
    within: (day) => `${day} >= p.a and ${day} < p.b and`,
  };
}

/** Bytes of a row from `start` on. */
export interface Slice {
  row: StoredRow;
  start: number;
  length: number;
}

/** Reads slices of rows of days by one statement, in their order; null for those of a row that was replaced since. */
export async function readSlices(tx: Queryable, slices: readonly Slice[]): Promise<(Buffer | null)[]> {
  const found: (Buffer | null)[] = slices.map(() => null);
  if (slices.length === 0) return found;
  const parameters = new SqlParameters();
  const numbered = slices.map((slice, index) => ({ ...slice, index }));
  const parts = [...Map.groupBy(numbered, ({ row }) => row.relation)].map(([relation, own]) => {
    const days = own.map(({ row }) => row.at);
    return `select p.index, substring(r.data from p.start for p.length)
      from unnest(${parameters.integers(own.map(({ index }) => index))}, ${parameters.integers(own.map(({ row }) => row.blockId))},
        ${parameters.add(days.map(dateOf))}::text[]::date[], ${parameters.add(own.map(({ row }) => row.version))}::text[],
        ${parameters.integers(own.map(({ start }) => start + 1))}, ${parameters.integers(own.map(({ length }) => length))})
        as p (index, block_id, day, version, start, length)
      cross join lateral (${rowOfDay(relation, days, parameters)} and s.xmin::text = p.version offset 0) r`;
  });
  const rows = (await tx
    .unsafe(parts.join(' union all '), parameters.values as never[], { prepare: true })
    .values()) as unknown as [index: number, bytes: Buffer][];
  for (const [index, bytes] of rows) found[index] = bytes;
  return found;
}

/** Reads rows of days again, whole, by one statement, in their order; null for those that are gone. */
export async function readAgain(tx: Queryable, rows: readonly StoredRow[]): Promise<(Buffer | null)[]> {
  const found: (Buffer | null)[] = rows.map(() => null);
  if (rows.length === 0) return found;
  const parameters = new SqlParameters();
  const numbered = rows.map((row, index) => ({ row, index }));
  const parts = [...Map.groupBy(numbered, ({ row }) => row.relation)].map(([relation, own]) => {
    const days = own.map(({ row }) => row.at);
    return `select p.index, r.data
      from unnest(${parameters.integers(own.map(({ index }) => index))}, ${parameters.integers(own.map(({ row }) => row.blockId))},
        ${parameters.add(days.map(dateOf))}::text[]::date[]) as p (index, block_id, day)
      cross join lateral (${rowOfDay(relation, days, parameters)} offset 0) r`;
  });
  const read = (await tx
    .unsafe(parts.join(' union all '), parameters.values as never[])
    .values()) as unknown as [index: number, bytes: Buffer][];
  for (const [index, bytes] of read) found[index] = bytes;
  return found;
}

function rowOfDay({ name, column }: DayRelation, days: readonly number[], parameters: SqlParameters): string {
  const date = (time: number) => `${parameters.add(dateOf(time))}::text::date`;
  const first = date(days.reduce((min, day) => Math.min(min, day)));
  const last = date(days.reduce((max, day) => Math.max(max, day)));
  return `select s.data from ${name} s
    where s.block_id = p.block_id and s.${column} = p.day and s.${column} >= ${first} and s.${column} <= ${last}`;
}
