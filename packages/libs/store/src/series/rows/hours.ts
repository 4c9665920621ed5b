import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { type Hour, LOUD } from '@tidewatch/domain/preview/stretches';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { HoursRequest, KnownBlocks, SlotHours, WatchedSlot } from '../series-columns.ts';
import { slotKey } from '../slot-key.ts';
import { type HoursRow, hourOf, hoursStatement, type WatchedSpans } from './hours-statement.ts';
import { factsOf } from './known-rows.ts';
import { readQuietNeighbours } from './quiet-neighbours.ts';
import { type BlockFacts, type Span, spansOf } from './spans.ts';
import { SqlParameters } from './sql-parameters.ts';

/** The number of values assumed for an hour without a rollup; more than two such hours in a row are mostly empty. */
const UNKNOWN_VALUES = 60;
const UNKNOWN_HOURS = 2;

/**
 * The hours of one slot that have or may have values in the range of a preview. Hours that the database returns stay
 * encoded, one number each, until they are used.
 */
class HoursOfSlot implements SlotHours {
  readonly #codes: Float64Array[] = [];
  readonly #more: Hour[] = [];
  readonly assumedFrom: number;
  hasBackfill = false;

  constructor(assumedFrom: number) {
    this.assumedFrom = assumedFrom;
  }

  /** The hours in order. */
  get hours(): Hour[] {
    const hours = new Map<number, Hour>();
    for (const codes of this.#codes) for (const code of codes) addHour(hours, hourOf(code));
    for (const hour of this.#more) addHour(hours, { ...hour });
    return [...hours.values()].sort((a, b) => a.start - b.start);
  }

  take([, , isBackfill, count, packed]: HoursRow): void {
    const codes = new Float64Array(count);
    unpackNumbers(packed, codes);
    this.#codes.push(codes);
    if (isBackfill) this.hasBackfill = true;
  }

  add(hours: readonly Hour[]): void {
    this.#more.push(...hours);
  }
}

function addHour(hours: Map<number, Hour>, hour: Hour): void {
  const known = hours.get(hour.start);
  if (known === undefined) hours.set(hour.start, hour);
  else {
    known.loudness = Math.max(known.loudness, hour.loudness);
    known.values += hour.values;
  }
}

/** Reads the hours of each slot that have or may have values, in the order of the slots. */
export async function readHours(
  tx: Queryable,
  watched: readonly WatchedSlot[],
  request: HoursRequest,
  known?: KnownBlocks,
): Promise<SlotHours[]> {
  const { from, to } = request;
  const blockIds = [...new Set(watched.map(({ blockId }) => blockId))];
  const facts = new Map(
    (await factsOf(tx, blockIds, { from, to }, known)).map((each) => [each.blockId, each]),
  );
  const found = new Map(
    watched.map((slot) => {
      const assumedFrom = facts.get(slot.blockId)?.openFrom['1h'] ?? Number.NEGATIVE_INFINITY;
      return [slotKey(slot), new HoursOfSlot(assumedFrom)];
    }),
  );
  await fill(tx, watched, request, facts, found);
  if (request.leavesQuietOut) await addNeighbours(tx, watched, found, { from, to });
  return watched.map((slot) => found.get(slotKey(slot)) as HoursOfSlot);
}

async function fill(
  tx: Queryable,
  watched: readonly WatchedSlot[],
  { from, to, retained, leavesQuietOut }: HoursRequest,
  facts: ReadonlyMap<number, BlockFacts>,
  found: ReadonlyMap<number, HoursOfSlot>,
): Promise<void> {
  const known: WatchedSpan[] = [];
  for (const slot of watched) {
    const own = facts.get(slot.blockId);
    const spans = spansOf('1h', { from, to }, retained, own === undefined ? [] : [own]);
    known.push(...spans['1h'].map((span) => ({ ...span, of: slot })));
    for (const span of [...spans['1m'], ...spans.raw]) found.get(slotKey(slot))?.add(unknownHours(span));
  }
  const late = from >= retained.raw ? [] : watched.map((of) => ({ blockId: of.blockId, from, to, of }));
  const parameters = new SqlParameters();
  const parts = [
    ...grouped(known).map((spans) => hoursStatement('rollup', spans, leavesQuietOut, parameters)),
    ...grouped(late).map((spans) => hoursStatement('backfill', spans, false, parameters)),
  ];
  if (parts.length === 0) return;
  const text = parts.join(' union all ');
  const rows = (await tx.unsafe(text, parameters.values as never[]).values()) as unknown as HoursRow[];
  for (const row of rows) found.get(slotKey({ blockId: row[0], slot: row[1] }))?.take(row);
}

type WatchedSpan = Span & { of: WatchedSlot };

/**
 * Groups spans by limits, and by slot unless several slots of a block are read, as of parts of a host; one part of the
 * statement reads one group.
 */
function grouped(spans: readonly WatchedSpan[]): WatchedSpans[] {
  return [...Map.groupBy(spans, ({ of }) => of.limits)].flatMap(([limits, own]) => {
    const places = [...Map.groupBy(own, ({ of, from, to }) => `${of.blockId}/${from}/${to}`).values()];
    const ofBlocks = places.map((alike) => {
      const { of, from, to } = alike[0] as WatchedSpan;
      const slots = alike.map((span) => span.of.slot);
      return {
        blockId: of.blockId,
        from,
        to,
        slots,
        mask: slots.reduce((mask, slot) => mask | (1 << slot), 0),
      };
    });
    const isShared = ofBlocks.some(({ slots }) => slots.length > 1);
    const groups = isShared ? [ofBlocks] : Map.groupBy(ofBlocks, ({ mask }) => mask).values();
    return [...groups].map((group) => {
      const slots = [...new Set(group.flatMap((each) => each.slots))];
      return { slots, limits, spans: group };
    });
  });
}

async function addNeighbours(
  tx: Queryable,
  watched: readonly WatchedSlot[],
  found: ReadonlyMap<number, HoursOfSlot>,
  range: { from: number; to: number },
): Promise<void> {
  const known = watched.map(({ blockId, slot }) => {
    return { blockId, slot, hours: found.get(slotKey({ blockId, slot }))?.hours ?? [] };
  });
  const starts = new Map(
    known.map(({ hours, ...slot }) => [slotKey(slot), new Set(hours.map(({ start }) => start))]),
  );
  for (const [key, hours] of await readQuietNeighbours(tx, known, range)) {
    const own = starts.get(key) as Set<number>;
    const fresh = hours.filter(({ start }) => !own.has(start) && own.add(start));
    found.get(key)?.add(fresh);
  }
}

function unknownHours(span: Span): Hour[] {
  const hours: Hour[] = [];
  const first = bucketOf(span.from, HOUR_MS);
  for (let start = first; start < span.to; start += HOUR_MS) {
    const values = start < first + UNKNOWN_HOURS * HOUR_MS ? UNKNOWN_VALUES : 0;
    hours.push({ start, loudness: LOUD, values });
  }
  return hours;
}
