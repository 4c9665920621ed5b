import type { Transaction } from '../connection.ts';
import type { BinaryRows } from './binary-rows.ts';
import { copyInto } from './copy.ts';
import type { RowBlock, SampleRows } from './sample-rows.ts';

export type SampleTable = 'samples' | 'samples_backfill';

const SLOTS = Array.from({ length: 16 }, (_, slot) => `v${slot}`);
const COLUMNS = ['"time"', 'block_id', ...SLOTS].join(', ');
const COPY_SAMPLES = `copy samples (${COLUMNS}) from stdin (format binary)`;
const COPY_STAGED = `copy staged_samples (${COLUMNS}) from stdin (format binary)`;

/** Appends rows that cannot be there yet. Throws CopyRefusedError where one is, with nothing written. */
export async function copySamples<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  buffer: BinaryRows,
): Promise<void> {
  if (rows.length === 0) return;
  buffer.reset();
  rows.encode(buffer, rows.sorted());
  await copyInto(tx, COPY_SAMPLES, buffer.finish());
}

/**
 * Merges rows into a table, slot by slot: a value that is present wins over the stored one, an absent one
 * leaves it. No two rows may have the same block and time. A row that changes nothing is not written.
 */
export async function upsertSamples<B extends RowBlock>(
  tx: Transaction,
  table: SampleTable,
  rows: SampleRows<B>,
  buffer: BinaryRows,
): Promise<void> {
  if (rows.length === 0) return;
  await tx`create temp table if not exists staged_samples (like samples) on commit delete rows`;
  await tx`truncate staged_samples`;
  buffer.reset();
  rows.encode(buffer, rows.sorted());
  await copyInto(tx, COPY_STAGED, buffer.finish());
  await tx.unsafe(MERGE[table]);
}

const merge = (table: SampleTable) => `
  insert into ${table} as stored (${COLUMNS})
  select ${COLUMNS} from staged_samples order by block_id, "time"
  on conflict (block_id, "time") do update set
    ${SLOTS.map((slot) => `${slot} = coalesce(excluded.${slot}, stored.${slot})`).join(', ')}
  where ${SLOTS.map((slot) => `excluded.${slot} <> stored.${slot} or excluded.${slot} is not null and stored.${slot} is null`).join(' or ')}`;
const MERGE: Record<SampleTable, string> = {
  samples: merge('samples'),
  samples_backfill: merge('samples_backfill'),
};
