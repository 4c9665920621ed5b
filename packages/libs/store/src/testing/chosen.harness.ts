import type { Queryable } from '@tidewatch/database/connection';

/**
 * SQL condition that is true for about this share of the rows, chosen by a hash of their ids and the salt, so that a test
 * changes the same rows in each run.
 */
export function chosen(sql: Queryable, share: number, salt: number) {
  return sql`(hashtextextended(id, ${salt}::int8) & 1023) < ${Math.round(share * 1_024)}::int8`;
}
