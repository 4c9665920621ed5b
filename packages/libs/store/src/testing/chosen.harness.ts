import type { Queryable } from '@tidewatch/database/connection';

/**
 * A condition that holds for about this share of the rows: those that a hash of their ids and the salt chooses, so that
 * a test changes the same rows in each run. Another salt chooses other rows.
 */
export function chosen(sql: Queryable, share: number, salt: number) {
  return sql`(hashtextextended(id, ${salt}::int8) & 1023) < ${Math.round(share * 1_024)}::int8`;
}
