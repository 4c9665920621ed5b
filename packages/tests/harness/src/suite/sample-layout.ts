import { openStore } from '@tidewatch/database/connection';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { TestDatabase } from '../postgres.ts';

/** Makes a database without samples keep them in this layout. To be called before anything of the product opens it. */
export async function chooseSampleLayout(database: TestDatabase, layout: SampleLayout): Promise<void> {
  const admin = openStore({ url: database.adminUrl, max: 1 });
  try {
    await admin.sql`update storage_backend set sample_layout = ${layout}`;
  } finally {
    await admin.close();
  }
}

/** The layout that TIDEWATCH_TEST_SAMPLE_LAYOUT names; undefined for that of new databases. */
export function layoutOf(given: string | undefined): SampleLayout | undefined {
  if (!given) return undefined;
  if (given !== 'rows' && given !== 'log')
    throw new Error('TIDEWATCH_TEST_SAMPLE_LAYOUT must be rows or log');
  return given;
}
