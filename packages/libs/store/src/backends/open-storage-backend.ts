import type { Sql } from '../database/connection.ts';
import type { RetentionDays } from '../retention/retention.ts';
import { openAccumulatingEdition } from './accumulating-backend.ts';
import { confirmServed, EditionError, recordedEdition } from './choice.ts';
import { openCommunityEdition } from './community/community-backend.ts';
import type { Edition } from './storage-backend.ts';

/** Opens the edition that the database was made as. Throws EditionError where there is none or the server lacks it. */
export async function openEdition(sql: Sql, retention: RetentionDays): Promise<Edition> {
  const name = await recordedEdition(sql);
  if (name === null) throw new EditionError('The database has no schema of this version: migrate it first.');
  await confirmServed(sql, name);
  if (name === 'community') return openCommunityEdition(sql, retention);
  return openAccumulatingEdition(name, sql, retention);
}
