import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { startDatabase, type TestDatabase } from '../postgres.ts';
import { chooseSampleLayout } from './sample-layout.ts';

/** As `startDatabase`, with samples in this layout, for tests of one of them. */
export async function startDatabaseOf(layout: SampleLayout): Promise<TestDatabase> {
  const database = await startDatabase();
  await chooseSampleLayout(database, layout);
  return database;
}
