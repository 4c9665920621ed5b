import { TIER_FACTS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import { TIER_MS, type Tier } from '@tidewatch/domain/rollup/buckets';
import { emptyColumns, type SlotRollups } from '@tidewatch/domain/rollup/day-rollups';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { AGGREGATES_OF_ROLLUPS, AGGREGATES_OF_SAMPLES, ROLLUP_COLUMNS } from '../rollups/rollup-columns.ts';
import type { BlockTotals } from './totals.ts';

const SLOTS = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => slot);
/** The number of rows of samples that are fetched at once. */
const FETCHED_ROWS = 2_000;

type Numbers = Record<string, number | null>;

/** Reads what all rows of blocks and a day add up to, by PostgreSQL's own aggregates. Blocks without rows are left out. */
export async function readTotals(
  tx: Transaction,
  tier: Tier,
  blockIds: readonly number[],
  day: number,
): Promise<Map<number, BlockTotals>> {
  const aggregates = tier === 'raw' ? AGGREGATES_OF_SAMPLES : AGGREGATES_OF_ROLLUPS;
  const columns = ROLLUP_COLUMNS.map((column, index) => `${aggregates[index]} as ${column}`);
  const rows = (await tx.unsafe(
    `select s.block_id, count(*)::integer as rows, ${columns.join(', ')} from ${TIER_FACTS[tier].relation} s
    where s.block_id = any($1::integer[]) and s.${timeOf(tier)} >= to_timestamp($2) and s.${timeOf(tier)} < to_timestamp($3)
    group by s.block_id`,
    boundsOf(blockIds, day),
  )) as unknown as (Numbers & { block_id: number; rows: number })[];
  return new Map(
    rows.map((row) => [
      row.block_id,
      {
        rows: row.rows,
        slots: SLOTS.map((slot) =>
          row[`cnt${slot}`] == null
            ? null
            : {
                sum: row[`sum${slot}`] as number,
                count: row[`cnt${slot}`] as number,
                min: row[`min${slot}`] as number,
                max: row[`max${slot}`] as number,
              },
        ),
      },
    ]),
  );
}

/** Reads the samples of blocks and a day, one block after the other; blocks without samples are left out. */
export async function* readSamples(
  tx: Transaction,
  blockIds: readonly number[],
  day: number,
): AsyncGenerator<{ blockId: number; columns: ChunkColumns }> {
  const cursor = tx
    .unsafe<(Numbers & { block_id: number; time: number })[]>(
      `select block_id, "time", ${SLOTS.map((slot) => `v${slot}`).join(', ')} from samples
      where block_id = any($1::integer[]) and "time" >= to_timestamp($2) and "time" < to_timestamp($3)
      order by block_id, "time"`,
      boundsOf(blockIds, day),
    )
    .cursor(FETCHED_ROWS);
  let blockId: number | null = null;
  let times: number[] = [];
  let slots: number[][] = [];
  const taken = () => ({ blockId: blockId as number, columns: columnsOf(times, slots) });
  for await (const rows of cursor)
    for (const row of rows) {
      if (row.block_id !== blockId) {
        if (blockId !== null) yield taken();
        blockId = row.block_id;
        times = [];
        slots = SLOTS.map(() => []);
      }
      times.push(row.time);
      for (const [slot, values] of slots.entries()) values.push(row[`v${slot}`] ?? Number.NaN);
    }
  if (blockId !== null) yield taken();
}

function columnsOf(times: readonly number[], slots: readonly number[][]): ChunkColumns {
  return {
    times: Float64Array.from(times),
    slots: slots.map((values) => (values.every(Number.isNaN) ? null : Float64Array.from(values))),
  };
}

/** Reads the rollups of blocks and a day; blocks without any are left out. */
export async function readRollups(
  tx: Transaction,
  tier: Exclude<Tier, 'raw'>,
  blockIds: readonly number[],
  day: number,
): Promise<Map<number, SlotRollups>> {
  const rows = (await tx.unsafe(
    `select block_id, bucket, ${ROLLUP_COLUMNS.join(', ')} from ${TIER_FACTS[tier].relation}
    where block_id = any($1::integer[]) and bucket >= to_timestamp($2) and bucket < to_timestamp($3)`,
    boundsOf(blockIds, day),
  )) as unknown as (Numbers & { block_id: number; bucket: number })[];
  const found = new Map<number, ReturnType<typeof emptyColumns>[]>();
  for (const row of rows) {
    const slots = found.get(row.block_id) ?? SLOTS.map(() => emptyColumns(DAY_MS / TIER_MS[tier]));
    found.set(row.block_id, slots);
    const step = (row.bucket - day) / TIER_MS[tier];
    for (const [slot, { sums, counts, mins, maxs }] of slots.entries()) {
      if (row[`cnt${slot}`] == null) continue;
      sums[step] = row[`sum${slot}`] as number;
      counts[step] = row[`cnt${slot}`] as number;
      mins[step] = row[`min${slot}`] as number;
      maxs[step] = row[`max${slot}`] as number;
    }
  }
  return new Map(
    [...found].map(([blockId, slots]) => [
      blockId,
      slots.map((slot) => (slot.counts.every(Number.isNaN) ? null : slot)),
    ]),
  );
}

const timeOf = (tier: Tier) => (tier === 'raw' ? '"time"' : 'bucket');

/** The parameters of a statement over blocks and a day. */
function boundsOf(blockIds: readonly number[], day: number) {
  return [blockIds as number[], day / 1000, (day + DAY_MS) / 1000] as never[];
}
