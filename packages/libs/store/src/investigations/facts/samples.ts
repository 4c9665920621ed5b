import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import type { Series } from '@tidewatch/domain/investigation/facts';

type PackedSample = [blockId: number, time: number, packed: string];

/** Reads the raw samples of places in `[from, to)`, ms, within raw retention; places without samples are left out. */
export async function readSamples<P extends { blockId: number; slot: number }>(
  tx: Transaction,
  places: readonly P[],
  from: number,
  to: number,
): Promise<Map<P, Series>> {
  const found = new Map<P, Series>();
  const slots = [...new Set(places.map(({ slot }) => slot))].sort((a, b) => a - b);
  if (slots.length === 0) return found;
  const blocks = Map.groupBy(places, ({ blockId }) => blockId);
  // The SQL text contains only slot numbers; everything else is a parameter.
  const rows = (await tx
    .unsafe(
      `select p.block_id, (date_part('epoch', y."time") * 1000)::int8, y.packed::text
      from unnest($1::int[]) as p (block_id)
      cross join lateral (
        select r."time", array_send(array[${slots.map((slot) => `r.v${slot}`).join(', ')}]::float8[]) as packed
        from samples r
        where r.block_id = p.block_id and r."time" >= $2::timestamptz and r."time" < $3::timestamptz
        offset 0
      ) y`,
      [[...blocks.keys()], toIso(from), toIso(to)],
    )
    .values()) as unknown as PackedSample[];
  for (const [blockId, own] of Map.groupBy(rows, ([id]) => id)) {
    own.sort(([, a], [, b]) => a - b);
    const values = new Float64Array(own.length * slots.length);
    for (const [index, [, , packed]] of own.entries())
      unpackNumbers(packed, values.subarray(index * slots.length, (index + 1) * slots.length));
    for (const place of blocks.get(blockId) ?? []) {
      const series = slotSeries(own, values, slots.indexOf(place.slot), slots.length);
      if (series.times.length > 0) found.set(place, series);
    }
  }
  return found;
}

/** Extracts the series of one column from unpacked rows, skipping NaN, which means that a row has no value. */
function slotSeries(
  rows: readonly PackedSample[],
  values: Float64Array,
  column: number,
  width: number,
): Series {
  const times = new Float64Array(rows.length);
  const present = new Float64Array(rows.length);
  let count = 0;
  for (const [index, [, time]] of rows.entries()) {
    const value = values[index * width + column] as number;
    if (Number.isNaN(value)) continue;
    times[count] = time;
    present[count] = value;
    count += 1;
  }
  return { times: times.slice(0, count), values: present.slice(0, count) };
}
