import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@tidewatch/contracts/values/id';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { ServiceDirectory } from './service-directory.ts';
import { writeTags } from './service-rows.ts';

const ORGANIZATION = 'org_test';
const store = await storeForFile({ as: 'product', organizations: [ORGANIZATION] });

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
    /** Takes the tags of a payload of `host` of `time` as a writer does; where `setBackTo` is given, its clock was set back to then. */
    async tag(host: string, version: string, time: number, setBackTo?: number) {
      await store.transact(async (tx) => {
        await directory.ensure(tx, [reportOf(host)]);
        const [entry] = directory.entriesOf(reportOf(host, Number.POSITIVE_INFINITY));
        if (!entry) throw new Error(`no service of ${host}`);
        if (setBackTo !== undefined) directory.setClockBack(entry, setBackTo);
        directory.retag(entry, { version }, time, Date.now());
        await writeTags(tx, directory.retagged());
      });
      directory.committed();
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

const versionOf = async (host: string) => {
  const [row] = await store.sql<{ version: string }[]>`
    select tags ->> 'version' as version from services where organization_id = ${ORGANIZATION} and host = ${host}`;
  return row?.version;
};
const now = Date.now();

test('tags of a late payload do not replace those of a newer one, which another process may have stored', async () => {
  const [one, other] = [open(), open()];
  await one.tag('late', 'first', now - 60_000);
  await other.tag('late', 'newest', now - 10_000);
  await other.tag('late', 'late', now - 20_000);
  expect(await versionOf('late')).toBe('newest');
  // This process does not know the newest tags, and only the row can refuse the late ones.
  await one.tag('late', 'late', now - 20_000);
  expect(await versionOf('late')).toBe('newest');
});

test('a clock that was set back lets older tags replace newer ones once, and no late ones after that', async () => {
  const [one, other] = [open(), open()];
  await one.tag('set back', 'ahead', now);
  await one.tag('set back', 'first', now - 3_600_000, now - 3_601_000);
  expect(await versionOf('set back')).toBe('first');
  await other.tag('set back', 'newest', now - 3_500_000);
  await one.tag('set back', 'late', now - 3_550_000);
  expect(await versionOf('set back')).toBe('newest');
});
