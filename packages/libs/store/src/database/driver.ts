/**
 * postgres.js, taken from here by every other file: with the faults corrected and the options added that
 * `patches/README.md` lists.
 */
import { requirePatch } from '@tidewatch/contracts/values/required-patch';
import postgres from 'postgres';

requirePatch({ library: 'postgres', found: postgres.patched, required: 'tidewatch 1' });

export type { Sql as DriverSql, TransactionSql } from 'postgres';
export { postgres };
