import { openStore, type Store, type StoreOptions } from '@tidewatch/database/connection';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { startDatabase, type TestDatabase } from '../postgres.ts';
import { openForFile, openForTest } from './opened.ts';
import { chooseSampleLayout } from './sample-layout.ts';

/** Connections to a migrated database that belongs to one file or test. */
export interface TestStore extends Store {
  database: TestDatabase;
}

export interface TestStoreOptions extends StoreOptions {
  /** The superuser unless it is the product, whose login owns nothing. */
  as?: 'superuser' | 'product';
  /** Ids of organizations that are in the database from the beginning. */
  organizations?: readonly string[];
  /** How the database keeps samples. Default: as new databases do. */
  sampleLayout?: SampleLayout;
}

/** Opens a migrated database and connections to it for the tests of a file. To be awaited at the top level of the file. */
export const storeForFile = (options?: TestStoreOptions) => openForFile(openTestStore(options));

/** The same for one test. To be called in the test or in `beforeEach`. */
export const storeForTest = (options?: TestStoreOptions) => openForTest(openTestStore(options));

/** The same for what closes it itself. */
export async function openTestStore({
  as = 'superuser',
  organizations = [],
  sampleLayout,
  ...options
}: TestStoreOptions = {}): Promise<TestStore> {
  const database = await startDatabase();
  if (sampleLayout !== undefined) await chooseSampleLayout(database, sampleLayout);
  const store = openStore({ url: as === 'product' ? database.url : database.adminUrl, ...options });
  for (const id of organizations) await store.sql`insert into organizations (id, name) values (${id}, ${id})`;
  return {
    ...store,
    database,
    async close() {
      await store.close();
      await database.close();
    },
  };
}
