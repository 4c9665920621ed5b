import { openStore } from '@tidewatch/database/connection';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { TestDatabase } from '../postgres.ts';

/** Makes a database without samples keep them in this layout. To be called before anything of the product opens it. */
export async function chooseSampleLayout(database: TestDatabase, layout: SampleLayout): Promise<void> {
  if (layout === 'rows') return;
  const admin = openStore({ url: database.adminUrl, max: 1 });
  try {
    await admin.sql`update storage_backend set sample_layout = ${layout}`;
  } finally {
    await admin.close();
  }
}
