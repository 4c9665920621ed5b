import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { type Copy, copyInto } from '@tidewatch/database/copy/copy';
import type { RowBlock, SampleRows } from './sample-rows.ts';

export const SLOT_COLUMNS = Array.from({ length: 16 }, (_, slot) => `v${slot}`);
export const SAMPLE_COLUMNS = ['"time"', 'block_id', ...SLOT_COLUMNS].join(', ');
const COPY_SAMPLES = `copy samples (${SAMPLE_COLUMNS}) from stdin (format binary)`;
/** The columns are listed because `like` needs a grant on the whole table, and hypertables have grants on columns only. */
const STAGE = `
  create temp table if not exists staged_samples (
    "time" timestamptz not null, block_id integer not null,
    ${SLOT_COLUMNS.map((slot) => `${slot} double precision`).join(', ')}
  ) on commit delete rows`;
const COPY_STAGED = `copy staged_samples (${SAMPLE_COLUMNS}) from stdin (format binary)`;

/** The COPY that inserts new rows; it fails if one of them is stored already. */
export function samplesCopy<B extends RowBlock>(rows: SampleRows<B>, buffer: BinaryRows): Copy {
  return { statement: COPY_SAMPLES, pieces: rows.encode(buffer, rows.sorted()) };
}

/**
 * Merges rows into `samples` slot by slot: a value replaces the stored one, an absent value does not. Each block and time
 * may occur once. Rows without changes are not written.
 */
export async function upsertSamples<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  buffer: BinaryRows,
): Promise<void> {
  if (rows.length === 0) return;
  await stageSamples(tx, rows, buffer);
  await tx.unsafe(MERGE_STAGED);
}

/** Replaces the contents of the temporary table `staged_samples` by the rows. */
export async function stageSamples<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  buffer: BinaryRows,
): Promise<void> {
  await tx.unsafe(STAGE);
  await tx`truncate staged_samples`;
  await copyInto(tx, COPY_STAGED, rows.encode(buffer, rows.sorted()));
}

/** The statement that merges the rows that `rows` selects, sorted so that concurrent writers cannot deadlock. */
export const mergeInto = (table: 'samples' | 'samples_backfill', rows: string) => `
  insert into ${table} as stored (${SAMPLE_COLUMNS})
  ${rows} order by block_id, "time"
  on conflict (block_id, "time") do update set
    ${SLOT_COLUMNS.map((slot) => `${slot} = coalesce(excluded.${slot}, stored.${slot})`).join(', ')}
  where ${SLOT_COLUMNS.map((slot) => `excluded.${slot} <> stored.${slot} or excluded.${slot} is not null and stored.${slot} is null`).join(' or ')}`;
const MERGE_STAGED = mergeInto('samples', `select ${SAMPLE_COLUMNS} from staged_samples`);
