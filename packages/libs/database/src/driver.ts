/** postgres.js with the corrections and options that `patches/README.md` lists; all other files import it from here. */
import { requirePatch } from '@tidewatch/contracts/values/required-patch';
import postgres, { type Sql as DriverSql, type TransactionSql } from 'postgres';

requirePatch({ library: 'postgres', found: postgres.patched, required: 'tidewatch 3' });

type Types = { int8: number | bigint };
export type Sql = DriverSql<Types>;
export type Transaction = TransactionSql<Types>;
export { postgres };
