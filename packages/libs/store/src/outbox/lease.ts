import type { Queryable } from '../connection.ts';

/**
 * Takes or renews the named lease for `ttlMs` by the database's clock.
 * Answers whether `holder` has it; somebody else's lease can be taken once it has run out.
 */
export async function takeLease(
  sql: Queryable,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<boolean> {
  const rows = await sql`
    insert into leases as l (name, holder, expires_at)
    values (${name}, ${holder}, now() + ${ttlMs}::float8 * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.holder = excluded.holder or l.expires_at <= now()
    returning 1`;
  return rows.length > 0;
}

/** Gives the lease back, if `holder` still has it, so that a successor need not wait. */
export async function releaseLease(sql: Queryable, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`;
}
