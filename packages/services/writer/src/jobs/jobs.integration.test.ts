import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Store } from '@tidewatch/database/connection';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);

let database: TestDatabase;
const open: { harness: Harness; store: Store }[] = [];
beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
});
afterEach(async () => {
  for (const { harness, store } of open.splice(0)) {
    await harness.writer.stop();
    await harness.store.close();
    await store.close();
  }
});

/** A writer whose jobs record in `atWork` that they run. */
async function openWriter(holder: string, atWork: string[], upkeepAfterMs = 0) {
  const store = openStore({ url: database.url });
  const backend = await openStorageBackend(store.sql, DEFAULT_RETENTION_DAYS);
  const noted = {
    ...backend,
    drain: (...args: Parameters<typeof backend.drain>) => {
      atWork.push(`${holder} drain`);
      return backend.drain(...args);
    },
    enforceRetention: (...args: Parameters<typeof backend.enforceRetention>) => {
      atWork.push(`${holder} retention`);
      return backend.enforceRetention(...args);
    },
    ensurePartitions: (...args: Parameters<typeof backend.ensurePartitions>) => {
      atWork.push(`${holder} partitions`);
      return backend.ensurePartitions(...args);
    },
  };
  const harness = await openHarness(database.url, NOW, { holder, backend: noted, upkeepAfterMs });
  open.push({ harness, store });
  const cutOff = async () => {
    await store.close();
    await harness.store.close();
  };
  return { writer: harness.writer, sql: harness.store.sql, cutOff };
}

describe('jobs of two writers:', () => {
  it('two writers never run the same job: the second takes it over when the first is dead or releases its lease', async () => {
    const atWork: string[] = [];
    const one = await openWriter('one', atWork);
    await one.writer.start();
    await expect
      .poll(() => new Set(atWork))
      .toEqual(new Set(['one partitions', 'one retention', 'one drain']));
    const two = await openWriter('two', atWork);
    await two.writer.start();
    await sleep(2_500);
    expect(atWork.filter((work) => work.startsWith('two'))).toEqual([]);
    const held = () => two.sql`select distinct holder from leases`;
    expect(await held()).toEqual([{ holder: 'one' }]);

    // Cuts the first writer off from the database, so that its lease expires.
    await one.cutOff();
    await two.sql`update leases set expires_at = now() - interval '1 second'`;
    await expect.poll(() => new Set(atWork)).toContain('two drain');
    await expect.poll(held).toEqual([{ holder: 'two' }]);
    await two.writer.stop();
    expect(await held()).toEqual([]);
  });
});

describe('jobs after a start:', () => {
  it('retention waits for as long as it is asked to, and ends with the writer, while rollups begin at once', async () => {
    const atWork: string[] = [];
    const soon = await openWriter('soon', atWork, 200);
    await soon.writer.start();
    await expect.poll(() => atWork, { timeout: 20_000 }).toContain('soon retention');
    await soon.writer.stop();
    const never = await openWriter('never', atWork, HOUR_MS);
    await never.writer.start();
    await expect.poll(() => atWork, { timeout: 20_000 }).toContain('never drain');
    await never.writer.stop();
    expect(atWork).not.toContain('never retention');
  });
});
