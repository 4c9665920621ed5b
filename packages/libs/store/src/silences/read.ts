import type { Queryable } from '@tidewatch/database/connection';
import { type SilenceRow, silenceColumns } from './row.ts';

/** Reads every silence of all organizations whose end is not recorded. */
export async function readUnendedSilences(sql: Queryable): Promise<SilenceRow[]> {
  return sql<SilenceRow[]>`select ${silenceColumns(sql)} from silences s where s.ended_at is null`;
}

/** A silence that is not deleted, or null. */
export async function readSilence(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<SilenceRow | null> {
  const [row] = await sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.organization_id = ${organizationId} and s.id = ${id} and s.deleted_at is null`;
  return row ?? null;
}
