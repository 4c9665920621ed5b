import type { Sql } from './connection.ts';

/** Why the database cannot be used at the moment, in a list that is empty while it can; answers within `withinMs`. */
export async function ping(sql: Sql, withinMs = 2_000): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([asked, late]).finally(() => clearTimeout(timer));
  return answered ? [] : ['the database does not answer'];
}
