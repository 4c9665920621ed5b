import type { Queryable } from '@tidewatch/database/connection';
import type { Range } from '../series-columns.ts';
import { DAY_RELATIONS } from './stored/day-relations.ts';
import { readKnown } from './stored/known-chunks.ts';

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const RELATIONS = ['sample_chunks', ...DAY_RELATIONS.map(({ name }) => name), 'samples_backfill'];
const HAS_NO_ROWS = RELATIONS.map(
  (relation) => `not exists (select from ${relation} where block_id = b.id)`,
).join(' and ');

/** Those of the blocks that have no row, and no sample in the log. */
export async function readEmptyBlocks(tx: Queryable, blockIds: readonly number[]): Promise<number[]> {
  const candidates = await withoutRows(tx, blockIds);
  if (candidates.length === 0) return [];
  const { tail } = await readKnown(tx, candidates, ALWAYS);
  // Looks at the rows again, into which the log may have been sealed before it was read.
  return await withoutRows(
    tx,
    candidates.filter((id) => !tail.hasRows(id, ALWAYS)),
  );
}

async function withoutRows(tx: Queryable, blockIds: readonly number[]): Promise<number[]> {
  if (blockIds.length === 0) return [];
  const rows = await tx<{ id: number }[]>`
    select b.id from unnest(${blockIds as number[]}::integer[]) as b (id) where ${tx.unsafe(HAS_NO_ROWS)}`;
  return rows.map((row) => row.id);
}
