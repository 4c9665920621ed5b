import { newId } from '@tidewatch/contracts/values/id';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, expect, it } from 'vitest';
import { claimInvestigation } from './claim.ts';

const NOW = Date.UTC(2026, 10, 26);
const [LOUD, QUIET, THIRD] = ['org_1', 'org_2', 'org_3'] as const;

const store = await storeForFile({ organizations: [LOUD, QUIET, THIRD] });

beforeEach(() => store.sql`delete from investigations`);

async function queue(
  organizationId: string,
  count: number,
  severity = 'warning',
  createdAt = NOW,
  trigger = 'alert',
) {
  for (let index = 0; index < count; index += 1)
    await store.sql`
      insert into investigations (organization_id, id, created_at, trigger, service_id, host, severity, title, window_from, window_to, updated_at)
      values (${organizationId}, ${newId('inv')}, ${createdAt + index}, ${trigger}, 'svc_a', 'a', ${severity}, 'a', ${NOW}, ${NOW}, ${NOW})`;
}

let claims = 0;
const claim = () => {
  claims += 1;
  const options = { holder: `test/${claims}`, leaseMs: 60_000, maxAttempts: 3, now: NOW + claims * 1_000 };
  return store.transact((tx) => claimInvestigation(tx, options));
};
const end = (id: string | undefined) =>
  store.sql`update investigations set status = 'completed', claimed_by = null, claimed_until = null where id = ${id ?? ''}`;

it('one worker takes investigations of organizations in turn, however many one of them has queued', async () => {
  await queue(LOUD, 20, 'critical', NOW - 60_000);
  await queue(QUIET, 2);
  await queue(THIRD, 1, 'info');
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const claimed = await claim();
    order.push(claimed?.organization_id);
    await end(claimed?.id);
  }
  expect(order).toEqual([LOUD, QUIET, THIRD, LOUD, QUIET, LOUD]);
});

it('the next investigation is one of the organization with the fewest running ones', async () => {
  await queue(LOUD, 5);
  expect((await claim())?.organization_id).toBe(LOUD);
  expect((await claim())?.organization_id).toBe(LOUD);
  await queue(QUIET, 3);
  const order = [await claim(), await claim(), await claim()];
  expect(order.map((claimed) => claimed?.organization_id)).toEqual([QUIET, QUIET, LOUD]);
});

it('concurrent workers take each investigation once, within an organization critical ones first, then the oldest', async () => {
  await queue(LOUD, 2, 'warning', NOW - 1_000);
  await queue(LOUD, 1, 'critical', NOW);
  await queue(QUIET, 2);
  const claimed = await Promise.all(Array.from({ length: 7 }, claim));
  const found = claimed.filter((each) => each !== null);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (let more = await claim(); more !== null; more = await claim()) found.push(more);
  const [left] = await store.sql`select 1 from investigations where status = 'queued'`;
  expect(left).toBeUndefined();
  await store.sql`delete from investigations`;
  await queue(LOUD, 2, 'warning', NOW - 1_000);
  await queue(LOUD, 1, 'critical', NOW);
  expect([(await claim())?.severity, (await claim())?.severity]).toEqual(['critical', 'warning']);
});

it('an investigation that somebody asked for comes before those of alerts, critical ones too', async () => {
  await queue(LOUD, 3, 'critical', NOW - 60_000);
  await queue(LOUD, 1, 'info', NOW, 'request');
  const order = [await claim(), await claim()];
  expect(order.map((claimed) => claimed?.severity)).toEqual(['info', 'critical']);
});

it('an investigation of alerts that has a result comes after those without one', async () => {
  await queue(LOUD, 1, 'critical', NOW - 60_000);
  await store.sql`update investigations set conclusion = 'inconclusive'`;
  await queue(LOUD, 1, 'warning', NOW);
  const order = [await claim(), await claim()];
  expect(order.map((claimed) => [claimed?.severity, claimed?.conclusion])).toEqual([
    ['warning', null],
    ['critical', 'inconclusive'],
  ]);
});
