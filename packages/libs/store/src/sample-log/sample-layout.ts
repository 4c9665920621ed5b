import type { Queryable } from '@tidewatch/database/connection';

/** How a database keeps samples: as rows of sixteen slots, or as a log that is sealed into chunks. */
export type SampleLayout = 'rows' | 'log';

/** Reads in which layout the database keeps samples. */
export async function readSampleLayout(sql: Queryable): Promise<SampleLayout> {
  const [row] = await sql<{ sample_layout: SampleLayout }[]>`select sample_layout from storage_backend`;
  if (row === undefined) throw new Error('the database has no storage backend');
  return row.sample_layout;
}
