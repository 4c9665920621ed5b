import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { startDatabase } from '@tidewatch/harness/postgres';
import { expect, test } from 'vitest';
import { ServiceDirectory } from './service-directory.ts';

const ORGANIZATION = 'org_test';
const database = await openForFile(startDatabase());
const store = await openForFile(openStore({ url: database.url }));
await store.sql`insert into organizations (id, name) values (${ORGANIZATION}, 'test') on conflict do nothing`;

const reportOf = (host: string, receivedAt = Date.now()) => ({
  organizationId: ORGANIZATION,
  receivedAt,
  payloads: [{ host }],
});

/** The service directory of another process; `entryOf` returns its entry of a host after a transaction. */
function open(creationDelayMs?: number) {
  const directory = new ServiceDirectory({
    newId,
    clock: Date.now,
    ...(creationDelayMs !== undefined && { creationDelayMs }),
  });
  return {
    async load(host: string, beforeCommit?: () => Promise<unknown>) {
      await store.transact(async (tx) => {
        await directory.ensure(tx, [reportOf(host)]);
        await beforeCommit?.();
      });
      const created = directory.created().map((entry) => entry.serviceId);
      directory.committed();
      const [entry] = directory.entriesOf(reportOf(host, Number.POSITIVE_INFINITY));
      return { id: entry?.serviceId, created };
    },
  };
}

test('the service of a host is not created here while another process is about to create it', async () => {
  const writing = open().load('left', () => sleep(100));
  const [evaluator, writer] = [await open(20_000).load('left'), await writing];
  expect(writer.created).toEqual([writer.id]);
  expect(evaluator).toEqual({ id: writer.id, created: [] });
});

test('the service of a host that no other process creates is created after the wait', async () => {
  const { id, created } = await open(50).load('lonely');
  expect(created).toEqual([id]);
});
