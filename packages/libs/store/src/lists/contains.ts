import type { Queryable } from '@tidewatch/database/connection';
import type { Fragment } from './page-rows.ts';

/**
 * The condition that a text contains `q` literally and case-insensitively; empty if `q` is undefined. `folded` is the text in
 * lower case by collation "C", `text` the text itself.
 */
export function contains(
  sql: Queryable,
  q: string | undefined,
  { folded, text }: { folded: Fragment; text: Fragment },
): Fragment {
  if (q === undefined) return sql``;
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  // Collation "C" is fast and folds ASCII only, which most texts consist of; other letters need ICU. The pattern is folded once, not for
  // each text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
  if (/^[\x00-\x7f]*$/.test(q)) return sql`and ${folded} like ${pattern.toLowerCase()}`;
  return sql`and case when octet_length(${text}) = char_length(${text}) then ${folded} collate "und-x-icu"
    else lower(${text} collate "und-x-icu") end like (select lower(${pattern}::text collate "und-x-icu"))`;
}
