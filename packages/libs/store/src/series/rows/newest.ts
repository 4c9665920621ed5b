import type { Queryable } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { BlockSpan, NewestRequest, NewestValue, Place } from '../series-columns.ts';
import { outerBounds, SqlParameters } from './sql-parameters.ts';

/** These statements have one text, whatever is asked. */
const PREPARED = { prepare: true };
const SLOTS = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => slot);
const VALUES = `array[${SLOTS.map((slot) => `r.v${slot}`).join(', ')}]`;

/** Reads the time of the newest row of each block in its span, ms. */
export async function readNewestTimes(
  tx: Queryable,
  spans: readonly BlockSpan[],
): Promise<Map<number, number>> {
  if (spans.length === 0) return new Map();
  const parameters = new SqlParameters();
  const { first, last } = outerBounds(spans, parameters);
  const rows = (await tx
    .unsafe(
      `select p.block_id, newest."time"
      from ${blocksOf(spans, parameters)} as p (block_id, a, b)
      cross join lateral (
        select r."time" from samples r
        where r.block_id = p.block_id and r."time" >= p.a and r."time" < p.b and r."time" >= ${first} and r."time" < ${last}
        order by r."time" desc limit 1
      ) newest`,
      parameters.values as never[],
      PREPARED,
    )
    .values()) as unknown as [blockId: number, time: number][];
  return new Map(rows);
}

/** Reads the newest value of each place less than `withinMs` before the newest row of its block. */
export async function readNewestValues(
  tx: Queryable,
  places: readonly Place[],
  { to, withinMs }: NewestRequest,
): Promise<(NewestValue | null)[]> {
  const found: (NewestValue | null)[] = places.map(() => null);
  if (places.length === 0) return found;
  const parameters = new SqlParameters();
  const end = parameters.time(to);
  const rows = (await tx
    .unsafe(
      `select p.index, n.at, n.value
      from unnest(${parameters.integers(places.map((_, index) => index))}, ${parameters.integers(places.map(({ blockId }) => blockId))},
        ${parameters.integers(places.map(({ slot }) => slot + 1))}) as p (index, block_id, slot)
      cross join lateral (
        select r."time" from samples r where r.block_id = p.block_id and r."time" < ${end} order by r."time" desc limit 1
      ) newest
      cross join lateral (
        select r."time" as at, (${VALUES})[p.slot] as value from samples r
        where r.block_id = p.block_id and r."time" <= newest."time"
          and r."time" > newest."time" - ${parameters.add(String(withinMs))}::float8 * interval '1 millisecond'
          and (${VALUES})[p.slot] is not null
        order by r."time" desc limit 1
      ) n`,
      parameters.values as never[],
      PREPARED,
    )
    .values()) as unknown as [index: number, time: number, value: number][];
  for (const [index, time, value] of rows) found[index] = { time, value };
  return found;
}

const NEWEST_BY_SLOT = `array_send(array[${SLOTS.map(
  (slot) => `date_part('epoch', max(s."time") filter (where s.v${slot} is not null)) * 1000`,
).join(', ')}]::float8[])::text`;

/** Reads for each block and slot the time of the newest value in its span, ms, backfilled ones among them; NaN without one. */
export async function readNewestBySlot(
  tx: Queryable,
  spans: readonly BlockSpan[],
): Promise<Map<number, Float64Array>> {
  return await newestBySlotIn(tx, spans, ['samples', 'samples_backfill']);
}

/** Reads the same of backfilled values alone. */
export async function readBackfilledBySlot(
  tx: Queryable,
  spans: readonly BlockSpan[],
): Promise<Map<number, Float64Array>> {
  return await newestBySlotIn(tx, spans, ['samples_backfill']);
}

async function newestBySlotIn(
  tx: Queryable,
  spans: readonly BlockSpan[],
  relations: readonly string[],
): Promise<Map<number, Float64Array>> {
  if (spans.length === 0) return new Map();
  const parameters = new SqlParameters();
  const { first, last } = outerBounds(spans, parameters);
  const rowsOf = (relation: string) =>
    `select * from ${relation} s where s.block_id = p.block_id and s."time" >= p.a and s."time" < p.b
      and s."time" >= ${first} and s."time" < ${last}`;
  const rows = (await tx
    .unsafe(
      `select p.block_id, ${NEWEST_BY_SLOT} from ${blocksOf(spans, parameters)} as p (block_id, a, b)
      cross join lateral (${relations.map(rowsOf).join(' union all ')} offset 0) s
      group by 1`,
      parameters.values as never[],
      PREPARED,
    )
    .values()) as unknown as [blockId: number, packed: string][];
  return new Map(
    rows.map(([blockId, packed]) => {
      const times = new Float64Array(SLOTS_PER_BLOCK);
      unpackNumbers(packed, times);
      return [blockId, times.map(Math.round)];
    }),
  );
}

function blocksOf(spans: readonly BlockSpan[], parameters: SqlParameters): string {
  return `unnest(${parameters.integers(spans.map(({ blockId }) => blockId))},
    ${parameters.times(spans.map(({ from }) => from))}, ${parameters.times(spans.map(({ to }) => to))})`;
}
