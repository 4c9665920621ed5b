import type { Queryable } from '../database/connection.ts';

/** What processes cache or wait for, each with a counter that its every change raises. */
export type RevisionName = 'rules' | 'services' | 'silences' | 'resolved_by_hand' | 'keys';
export type Revisions = Record<RevisionName, number>;

/** The counters as this statement sees them; one round trip. */
export async function readRevisions(sql: Queryable): Promise<Revisions> {
  const rows = await sql<{ name: string; revision: number }[]>`
    select name, revision from revisions`;
  const revisions: Revisions = { rules: 0, services: 0, silences: 0, resolved_by_hand: 0, keys: 0 };
  for (const row of rows) revisions[row.name as RevisionName] = row.revision;
  return revisions;
}

/** Tells every reader of the cached table that it changed; belongs into the transaction of the change. */
export async function bumpRevision(tx: Queryable, name: RevisionName): Promise<void> {
  await tx`insert into revisions (name, revision) values (${name}, 1)
    on conflict (name) do update set revision = revisions.revision + 1`;
}
