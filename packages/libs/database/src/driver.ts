/**
 * postgres.js, imported from here by every other file: with the faults corrected and the options added that
 * `patches/README.md` lists.
 */
import { requirePatch } from '@tidewatch/contracts/values/required-patch';
import postgres, { type Sql as DriverSql, type TransactionSql } from 'postgres';

requirePatch({ library: 'postgres', found: postgres.patched, required: 'tidewatch 1' });

type Types = { int8: number | bigint };
export type Sql = DriverSql<Types>;
export type Transaction = TransactionSql<Types>;
export { postgres };
