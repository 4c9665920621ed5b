import { openStore } from '@tidewatch/database/connection';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { CONTRACT_RETENTION, type StoreUnderTest } from '@tidewatch/store/backends/store.contract';
import { type HarnessOptions, ORGANIZATION, openHarness } from './testing/writer.harness.ts';

/** Opens a writer with running jobs on a new database, which is dropped at the end. */
export async function openStoreUnderTest(
  database: TestDatabase,
  options: Pick<HarnessOptions, 'sealIntervalMs'> = {},
): Promise<StoreUnderTest> {
  let passed = 0;
  const now = () => Date.now() + passed;
  const harness = await openHarness(database.url, now(), {
    ...options,
    retention: CONTRACT_RETENTION,
  });
  Object.defineProperty(harness, 'now', { get: now });
  const admin = openStore({ url: database.adminUrl, max: 1 });
  const investigator = openStore({ url: database.urlOfRole('tidewatch_investigator'), max: 1 });
  const { sql } = harness.store;
  const backend = await openStorageBackend(sql, CONTRACT_RETENTION);
  await harness.writer.start();
  return {
    organizationId: ORGANIZATION,
    sql,
    admin: admin.sql,
    investigator: investigator.sql,
    now,
    pass(ms) {
      passed += ms;
    },
    send: (payloads) => harness.send(payloads),
    enforceRetention: async () => void (await backend.enforceRetention(now())),
    async close() {
      await harness.writer.stop();
      await harness.store.close();
      await admin.close();
      await investigator.close();
      await database.close();
    },
  };
}
