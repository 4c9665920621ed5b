import type { Queryable } from '../database/connection.ts';
import { type SilenceRow, silenceColumns } from './row.ts';

/** Every silence of which nobody has noted yet that it ended, of all organizations. */
export async function readUnendedSilences(sql: Queryable): Promise<SilenceRow[]> {
  return sql<SilenceRow[]>`select ${silenceColumns(sql)} from silences s where s.ended_at is null`;
}

/** A silence that was not deleted, or null. */
export async function readSilence(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<SilenceRow | null> {
  const [row] = await sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.org_id = ${organizationId} and s.id = ${id} and s.deleted_at is null`;
  return row ?? null;
}
