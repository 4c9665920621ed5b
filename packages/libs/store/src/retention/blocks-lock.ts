import type { Transaction } from '@tidewatch/database/connection';

/** The advisory lock of blocks: writers hold it shared to use idle blocks, and removal of blocks holds it exclusively. */
const BLOCKS_LOCK = 7_115_030_001;

/** Until the transaction ends, no block and no part is removed. */
export async function holdBlocks(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${BLOCKS_LOCK}::bigint)`;
}

/** Waits for all who hold the blocks, and keeps others away until the transaction ends. */
export async function takeBlocks(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${BLOCKS_LOCK}::bigint)`;
}
