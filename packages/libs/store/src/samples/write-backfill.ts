import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import type { RowBlock, SampleRows } from './sample-rows.ts';
import { mergeInto, SAMPLE_COLUMNS, SLOT_COLUMNS, stageSamples } from './write-samples.ts';

/** The times (ms) from which on the rollups of minutes and hours are complete. */
export interface RollupFloors {
  minute: number;
  hour: number;
}

/**
 * Merges rows older than raw retention into samples_backfill, without the values that the rollups presumably contain: those
 * whose raw row exists, or that are within minimum and maximum of their bucket in the finest kept rollup. Returns how many
 * values were left out. Each block and time may occur once.
 */
export async function writeBackfill<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  floors: RollupFloors,
  buffer: BinaryRows,
): Promise<number> {
  if (rows.length === 0) return 0;
  await stageSamples(tx, rows, buffer);
  const [row] = (await tx.unsafe(WRITE, [floors.minute / 1000, floors.hour / 1000])) as { copies: number }[];
  return row?.copies ?? 0;
}

const BOUNDS = SLOT_COLUMNS.flatMap((_, slot) => [`r.min${slot}`, `r.max${slot}`]).join(', ');
const bounds = (table: string, unit: string, condition: string) => `
      select ${BOUNDS} from ${table} r
      where ${condition} and r.block_id = s.block_id and r.bucket = date_trunc('${unit}', s."time", 'UTC')`;
// A newer value replaces a value that was backfilled before, which no rollup contains. "offset 0" makes the planner use an
// index lookup for each row, although it has no statistics of the staged rows.
const own = (slot: string) =>
  `case when f.${slot} is null and (w.${slot} is not null or s.${slot} between r.${slot.replace('v', 'min')} and r.${slot.replace('v', 'max')})
        then null else s.${slot} end as ${slot}`;
const present = (alias: string) =>
  `num_nonnulls(${SLOT_COLUMNS.map((slot) => `${alias}.${slot}`).join(', ')})`;
const WRITE = `
  with classified as materialized (
    select s."time", s.block_id, ${present('s')} as sent, ${SLOT_COLUMNS.map(own).join(', ')}
    from staged_samples s
    left join lateral (
      select * from samples_backfill f where f.block_id = s.block_id and f."time" = s."time" offset 0) f on true
    left join lateral (
      select * from samples w where w.block_id = s.block_id and w."time" = s."time" offset 0) w on true
    left join lateral (${[
      bounds('rollup_1m', 'minute', 's."time" >= to_timestamp($1::float8)'),
      bounds(
        'rollup_1h',
        'hour',
        's."time" < to_timestamp($1::float8) and s."time" >= to_timestamp($2::float8)',
      ),
      bounds('rollup_1d', 'day', 's."time" < least(to_timestamp($1::float8), to_timestamp($2::float8))'),
    ].join(' union all ')} offset 0) r on true
  ), merged as (
    ${mergeInto('samples_backfill', `select ${SAMPLE_COLUMNS} from classified j where ${present('j')} > 0`)}
  )
  select coalesce(sum(sent - ${present('j')}), 0)::integer as copies from classified j`;
