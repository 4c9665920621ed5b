import type { Queryable } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import type { SampleSpan, Samples } from '../series-columns.ts';
import { outerBounds, SqlParameters } from './sql-parameters.ts';

/** The spans of one block that are read from the same rows. */
interface RowSpan {
  blockId: number;
  from: number;
  to: number;
  firstOnly: boolean;
  /** The indices of the spans of each slot, in the order of `slots`. */
  asked: number[][];
  slots: number[];
}

/** The rows of a RowSpan: times and, slot by slot, values, packed. */
type PackedRows = [index: number, count: number, times: string, values: string];

const NONE: Samples = { times: new Float64Array(), values: new Float64Array() };
/** The max number of sets of slots that a statement has parts for; above it, each slot is read by itself. */
const MAX_SLOT_SETS = 16;

/**
 * Reads the samples of spans by one statement. Rows of a block are read once for all slots with the same span, and packed in arrays,
 * which is cheaper than a row for each.
 */
export async function readSamples(
  tx: Queryable,
  spans: readonly SampleSpan[],
  { withBackfill }: { withBackfill: boolean } = { withBackfill: false },
): Promise<Samples[]> {
  return await readFrom(tx, spans, withBackfill ? ['samples', 'samples_backfill'] : ['samples']);
}

/** Reads the backfilled samples of spans, in their order. */
export async function readBackfilled(tx: Queryable, spans: readonly SampleSpan[]): Promise<Samples[]> {
  return await readFrom(tx, spans, ['samples_backfill']);
}

async function readFrom(
  tx: Queryable,
  spans: readonly SampleSpan[],
  relations: readonly string[],
): Promise<Samples[]> {
  const found = spans.map(() => NONE);
  const rowSpans = rowSpansOf(spans);
  if (rowSpans.length === 0) return found;
  const parameters = new SqlParameters();
  const indices = new Map(rowSpans.map((each, index) => [each, index]));
  const text = [...Map.groupBy(rowSpans, setOf).values()]
    .map((own) => statementOf(own, indices, relations, parameters))
    .join(' union all ');
  const rows = (await tx.unsafe(text, parameters.values as never[]).values()) as unknown as PackedRows[];
  for (const [index, count, packedTimes, packedValues] of rows) {
    const { slots, asked } = rowSpans[index] as RowSpan;
    const times = new Float64Array(count);
    unpackNumbers(packedTimes, times);
    // Rounds times, since seconds since the epoch as a double are inexact by a fraction of a microsecond.
    for (let row = 0; row < count; row += 1) times[row] = Math.round(times[row] as number);
    const values = new Float64Array(count * slots.length);
    unpackNumbers(packedValues, values);
    const order = orderOf(times);
    for (const [column, wanted] of asked.entries()) {
      const own = slotSamples(times, values.subarray(column * count, (column + 1) * count), order);
      for (const each of wanted) found[each] = own;
    }
  }
  return found;
}

function rowSpansOf(spans: readonly SampleSpan[]): RowSpan[] {
  const wanted = spans.map((span, index) => ({ ...span, index })).filter(({ from, to }) => from < to);
  const rowsOf = ({ blockId, from, to, firstOnly, slot }: SampleSpan) =>
    // The first sample of each slot may be of another row.
    `${blockId}/${from}/${to}/${firstOnly === true ? slot : ''}`;
  const rowSpans = [...Map.groupBy(wanted, rowsOf).values()].map((own): RowSpan => {
    const { blockId, from, to, firstOnly = false } = own[0] as SampleSpan;
    const bySlot = [...Map.groupBy(own, ({ slot }) => slot)].sort(([a], [b]) => a - b);
    const asked = bySlot.map(([, alike]) => alike.map(({ index }) => index));
    return { blockId, from, to, firstOnly, slots: bySlot.map(([slot]) => slot), asked };
  });
  if (new Set(rowSpans.map(setOf)).size <= MAX_SLOT_SETS) return rowSpans;
  return rowSpans.flatMap((span) =>
    span.slots.map((slot, index) => ({ ...span, slots: [slot], asked: [span.asked[index] as number[]] })),
  );
}

function setOf({ slots, firstOnly }: RowSpan): string {
  return `${slots.join()}/${firstOnly}`;
}

function statementOf(
  spans: readonly RowSpan[],
  indices: ReadonlyMap<RowSpan, number>,
  relations: readonly string[],
  parameters: SqlParameters,
): string {
  const { slots, firstOnly } = spans[0] as RowSpan;
  const { first, last } = outerBounds(spans, parameters);
  const columns = slots.map((slot) => `r.v${slot}`).join(', ');
  const present = slots.length === 1 ? `and r.v${slots[0]} is not null` : '';
  const rows = relations.map(
    (relation) => `select r."time" as t, ${columns} from ${relation} r
      where r.block_id = p.block_id and r."time" >= p.a and r."time" < p.b
        and r."time" >= ${first} and r."time" < ${last} ${present}`,
  );
  const packed = slots.map((slot) => `array_agg(x.v${slot})`).join(' || ');
  return `select p.index, y.* from unnest(${parameters.integers(spans.map((span) => indices.get(span) as number))},
      ${parameters.integers(spans.map(({ blockId }) => blockId))}, ${parameters.times(spans.map(({ from }) => from))},
      ${parameters.times(spans.map(({ to }) => to))}) as p (index, block_id, a, b)
    cross join lateral (
      select count(*)::int as count, array_send(array_agg(date_part('epoch', x.t) * 1000))::text as times,
        array_send(${packed})::text as values
      from (${rows.join(' union all ')} ${firstOnly ? 'order by 1 limit 1' : 'offset 0'}) x
    ) y where y.count > 0`;
}

/** The order of rows by time; null if they are in order. */
function orderOf(times: Float64Array): Uint32Array | null {
  let row = 1;
  while (row < times.length && (times[row - 1] as number) <= (times[row] as number)) row += 1;
  if (row >= times.length) return null;
  return Uint32Array.from(times, (_, index) => index).sort(
    (a, b) => (times[a] as number) - (times[b] as number),
  );
}

/** The samples of one slot; NaN means that a row has no value. */
function slotSamples(times: Float64Array, values: Float64Array, order: Uint32Array | null): Samples {
  const ownTimes = new Float64Array(values.length);
  const ownValues = new Float64Array(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row += 1) {
    const place = order === null ? row : (order[row] as number);
    const value = values[place] as number;
    if (Number.isNaN(value)) continue;
    ownTimes[count] = times[place] as number;
    ownValues[count] = value;
    count += 1;
  }
  if (count === values.length) return { times: ownTimes, values: ownValues };
  return { times: ownTimes.slice(0, count), values: ownValues.slice(0, count) };
}
