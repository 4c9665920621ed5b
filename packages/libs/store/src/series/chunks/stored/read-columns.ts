import type { Queryable } from '@tidewatch/database/connection';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { BlockSpan, KnownBlocks, Range } from '../../series-columns.ts';
import { BlockColumns } from './block-columns.ts';
import type { LogPlaces } from './block-places.ts';
import { dayOf, SAMPLE_DAYS } from './day-relations.ts';
import { chunksOf, DecodedPiece, type FetchedRow, readParts } from './fetched-rows.ts';
import { readWithTail } from './known-chunks.ts';
import type { BlockChunks } from './stored-rows.ts';

/** Samples to read: bit n of `mask` is set if slot n is wanted. Without any, the times of rows can be read. */
export interface WantedColumns extends BlockSpan {
  readonly mask: number;
}

/** From this number of slots on, a row is read whole. */
const MANY_SLOTS = SLOTS_PER_BLOCK / 2;

export function isMany(mask: number): boolean {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count >= MANY_SLOTS;
}

/** The samples of some blocks. */
export class StoredColumns {
  readonly #open: (blockId: number) => BlockColumns;
  /** That of the block that was asked for last: what is opened of a block is garbage before the next one is. */
  #last: { blockId: number; columns: BlockColumns } | null = null;

  constructor(open: (blockId: number) => BlockColumns) {
    this.#open = open;
  }

  of(blockId: number): BlockColumns {
    if (this.#last?.blockId !== blockId) this.#last = { blockId, columns: this.#open(blockId) };
    return this.#last.columns;
  }
}

/** Reads the samples of blocks in spans; what is wanted of one block may be several spans. */
export async function readColumns(
  tx: Queryable,
  wanted: readonly WantedColumns[],
  known?: KnownBlocks | LogPlaces,
): Promise<StoredColumns> {
  const masks = masksOf(wanted);
  const blockIds = [...masks.keys()];
  const spans = joinedSpans(wanted);
  if (spans.length === 0) return new StoredColumns(() => new BlockColumns([], undefined));
  const maskOf = (blockId: number) => masks.get(blockId) ?? 0;
  const rowSpans = spans.map((span) => ({ ...span, isWhole: isMany(maskOf(span.blockId)) }));
  const wantedChunks = spans.map((span) => ({ ...span, mask: maskOf(span.blockId) }));
  const request = { chunks: wantedChunks, rows: [{ relation: SAMPLE_DAYS, spans: rowSpans }] };
  const { tail, chunks, rows } = await readWithTail(tx, blockIds, outerRange(spans), request, known);
  const days = await readParts(tx, rows, ({ blockId }) => maskOf(blockId));
  const daysOf = Map.groupBy(
    days.filter((row) => row !== null),
    ({ blockId }) => blockId,
  );
  return new StoredColumns((blockId) => {
    const pieces = piecesOf(chunks.get(blockId), daysOf.get(blockId) ?? []);
    return new BlockColumns(pieces, tail.of(blockId));
  });
}

/** The pieces of a block in order of time. A closed day stands in place of its chunks. */
function piecesOf(chunks: BlockChunks | undefined, days: readonly FetchedRow[]): DecodedPiece[] {
  const readers = chunksOf(chunks);
  if (days.length === 0) return readers.map((reader) => new DecodedPiece(reader));
  const closed = new Map(days.map((row) => [row.at, row]));
  const open = readers
    .map((reader) => ({ at: reader.times()[0] as number, piece: new DecodedPiece(reader) }))
    .filter(({ at }) => !closed.has(dayOf(at)));
  return [...open, ...[...closed.values()].map((row) => ({ at: row.at, piece: DecodedPiece.ofRow(row) }))]
    .sort((a, b) => a.at - b.at)
    .map(({ piece }) => piece);
}

export function masksOf(wanted: readonly WantedColumns[]): Map<number, number> {
  const masks = new Map<number, number>();
  for (const { blockId, mask } of wanted) masks.set(blockId, (masks.get(blockId) ?? 0) | mask);
  return masks;
}

/** Joins the spans of each block that overlap or adjoin. */
export function joinedSpans(wanted: readonly BlockSpan[]): BlockSpan[] {
  return [...Map.groupBy(wanted, ({ blockId }) => blockId)].flatMap(([blockId, own]) => {
    const joined: { blockId: number; from: number; to: number }[] = [];
    for (const { from, to } of own.toSorted((a, b) => a.from - b.from)) {
      if (from >= to) continue;
      const last = joined.at(-1);
      if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
      else joined.push({ blockId, from, to });
    }
    return joined;
  });
}

export function outerRange(spans: readonly Range[]): Range {
  return {
    from: spans.reduce((min, { from }) => Math.min(min, from), Number.POSITIVE_INFINITY),
    to: spans.reduce((max, { to }) => Math.max(max, to), Number.NEGATIVE_INFINITY),
  };
}
