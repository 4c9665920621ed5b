import type { Queryable } from '@tidewatch/database/connection';

/** Data that processes cache or watch; each change raises the revision of its kind. */
export type RevisionName = 'rules' | 'services' | 'silences' | 'resolved_by_hand' | 'keys' | 'sessions';
export type Revisions = Record<RevisionName, number>;

/** Reads all revisions. */
export async function readRevisions(sql: Queryable): Promise<Revisions> {
  const rows = await sql<{ name: string; revision: number }[]>`
    select name, revision from revisions`;
  const revisions: Revisions = {
    rules: 0,
    services: 0,
    silences: 0,
    resolved_by_hand: 0,
    keys: 0,
    sessions: 0,
  };
  for (const row of rows) revisions[row.name as RevisionName] = row.revision;
  return revisions;
}

/** Raises a revision, so that caches reload; must be called in the transaction of the change. */
export async function bumpRevision(tx: Queryable, name: RevisionName): Promise<void> {
  await tx`insert into revisions (name, revision) values (${name}, 1)
    on conflict (name) do update set revision = revisions.revision + 1`;
}
