import type { Sql } from './connection.ts';

/** The reason why the database is not ready, or an empty list; returns within `withinMs`. */
export async function ping(sql: Sql, withinMs = 2_000): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const answer = sql`select 1`.then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
  return answered ? [] : ['the database does not answer'];
}
