import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { Turn } from '../../event-loop/turn.ts';
import { readBackfilledBySlot } from '../rows/newest.ts';
import type { BlockSpan, NewestRequest, NewestValue, Place } from '../series-columns.ts';
import { readEdgeTimes } from './stored/edge-times.ts';
import { readKnown } from './stored/known-chunks.ts';
import { readColumns } from './stored/read-columns.ts';

const EVERY_SLOT = 2 ** SLOTS_PER_BLOCK - 1;
/** What is read first of places: nearly all have a value within it. */
const SOON_MS = 10 * MINUTE_MS;

/** Reads the time of the newest row of each block in its span, ms. */
export async function readNewestTimes(
  tx: Queryable,
  spans: readonly BlockSpan[],
): Promise<Map<number, number>> {
  return await readEdgeTimes(tx, spans, 'last');
}

/** Reads the newest value of each place less than `withinMs` before the newest row of its block. */
export async function readNewestValues(
  tx: Queryable,
  places: readonly Place[],
  { to, withinMs }: NewestRequest,
): Promise<(NewestValue | null)[]> {
  const found: (NewestValue | null)[] = places.map(() => null);
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  const range = { from: Number.NEGATIVE_INFINITY, to };
  const known = await readKnown(tx, blockIds, range);
  const newest = await readEdgeTimes(
    tx,
    blockIds.map((blockId) => ({ blockId, ...range })),
    'last',
    known,
  );
  const present = [...places.keys()].filter((index) => newest.has((places[index] as Place).blockId));
  await fill(present, Math.min(withinMs, SOON_MS));
  if (withinMs > SOON_MS)
    await fill(
      present.filter((index) => found[index] === null),
      withinMs,
    );
  return found;

  async function fill(indices: readonly number[], reachMs: number): Promise<void> {
    const wanted = indices.map((index) => {
      const { blockId, slot } = places[index] as Place;
      const last = newest.get(blockId) as number;
      return { blockId, slot, mask: 1 << slot, from: last - reachMs + 1, to: last + 1 };
    });
    const columns = await readColumns(tx, wanted, known);
    for (const [at, { blockId, slot, ...span }] of wanted.entries()) {
      const { times, values } = columns.of(blockId).view(slot, span, { last: 1 });
      if (times.length > 0)
        found[indices[at] as number] = { time: times[0] as number, value: values[0] as number };
    }
  }
}

/** Reads for each block and slot the time of the newest value in its span, ms, backfilled ones among them; NaN without one. */
export async function readNewestBySlot(
  tx: Queryable,
  spans: readonly BlockSpan[],
): Promise<Map<number, Float64Array>> {
  const columns = await readColumns(
    tx,
    spans.map((span) => ({ ...span, mask: EVERY_SLOT })),
  );
  const found = await readBackfilledBySlot(tx, spans);
  const turn = new Turn();
  for (const span of spans) {
    const own = columns.of(span.blockId);
    const times = found.get(span.blockId) ?? new Float64Array(SLOTS_PER_BLOCK).fill(Number.NaN);
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const time = own.view(slot, span, { last: 1 }).times[0];
      if (time !== undefined && !(time < (times[slot] as number))) times[slot] = time;
    }
    if (!times.every(Number.isNaN)) found.set(span.blockId, times);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found;
}
