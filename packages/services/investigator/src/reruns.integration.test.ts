import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { transact } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { cancelInvestigation } from '@tidewatch/store/investigations/act';
import { readInvestigation } from '@tidewatch/store/investigations/list';
import { beforeEach, expect, test } from 'vitest';
import { InvestigatorHarness, ORGANIZATION } from './investigator.harness.ts';
import { finding, verdictOf } from './testing/verdict.ts';

const harness = await openForFile(InvestigatorHarness.open());
beforeEach(() => harness.reset());

const only = async () => {
  const [first, ...others] = await harness.investigations();
  expect(others).toEqual([]);
  return first;
};
const completed = (runs: number) =>
  expect.poll(async () => [(await only())?.status, harness.analysed.length]).toEqual(['completed', runs]);
/** Investigates an alert of a new service, which it returns, for the first time. */
async function investigated() {
  const service = await harness.service('web-01');
  await harness.fire(service);
  harness.investigator.start();
  await completed(1);
  return service;
}
/** Makes the next runs inconclusive because of too little history, and says that there will be enough after `ms`. */
const tooLittle = (ms: number) => {
  harness.analysis = async () => verdictOf([], { summary: 'Too little.', enoughAt: harness.now + ms });
};

test('the investigator reruns an investigation with too little history once, when there is enough, and not a third time', async () => {
  tooLittle(5 * MINUTE_MS);
  await investigated();
  expect(await only()).toMatchObject({ conclusion: 'inconclusive', history_redone: false });
  harness.now += 20 * MINUTE_MS;
  await completed(2);
  expect(await only()).toMatchObject({ history_redone: true, history_at: null });
  harness.now += 20 * MINUTE_MS;
  await sleep(300);
  harness.another().start();
  await completed(2);
});

test('one of several investigators reruns an investigation with too little history after a restart, even if its alert has resolved', async () => {
  tooLittle(5 * MINUTE_MS);
  await investigated();
  await harness.investigator.stop();
  await harness.admin
    .sql`update alerts set status = 'resolved', state = 'resolved', resolved_at = ${harness.now}, resolution = 'recovered'`;
  harness.now += 30 * MINUTE_MS;
  harness.analysis = async () => verdictOf([finding()]);
  for (const each of [harness.another(), harness.another(), harness.another()]) each.start();
  await completed(2);
  expect(await only()).toMatchObject({ conclusion: 'root_cause_found', reruns: 1 });
});

test('the investigator does not rerun an investigation that had enough history', async () => {
  await investigated();
  expect(await only()).toMatchObject({ history_at: null, again_at: null });
});

test('the investigator looks again at a trouble of which it named no cause once it is on for twice as long', async () => {
  harness.analysis = async () => verdictOf([], { summary: 'Nothing shows yet.' });
  await harness.publish([
    (await harness.fired(await harness.service('web-01'), { no_data: false })).event,
    (await harness.fired(await harness.service('web-02'))).event,
  ]);
  // Samples of alerts that fired longer ago are not waited for.
  harness.now += 10 * MINUTE_MS;
  harness.investigator.start();
  await expect.poll(() => harness.statuses()).toEqual(['completed', 'completed']);
  const dues = (await harness.investigations()).map(({ host, again_at }) => [host, again_at]);
  // The trouble began fifteen minutes ago; a host that is silent shows no more.
  expect(dues).toEqual([
    ['web-01', harness.now + 15 * MINUTE_MS],
    ['web-02', null],
  ]);
  harness.analysis = async () => verdictOf([finding()]);
  harness.now += 15 * MINUTE_MS;
  await expect.poll(() => harness.analysed.length).toBe(3);
  await expect.poll(() => harness.statuses()).toEqual(['completed', 'completed']);
  expect((await harness.investigations())[0]).toMatchObject({
    conclusion: 'root_cause_found',
    reruns: 1,
    again_at: null,
  });
});

test('an alert that joins before the investigator looks again has it run at once', async () => {
  const service = await investigated();
  await harness.admin.sql`update investigations set again_at = ${harness.now + MINUTE_MS}`;
  await harness.fire(service);
  await completed(2);
  expect(await only()).toMatchObject({ reruns: 1, again_at: null });
});

test('the investigator reruns a completed investigation for an alert that joins it, with the alert in its timeline', async () => {
  const service = await investigated();
  harness.now += MINUTE_MS;
  const second = await harness.fire(service);
  await completed(2);
  const whole = await only();
  expect(whole?.alerts).toContain(second.id);
  expect(whole?.timeline.filter(({ type }) => type === 'fired')).toHaveLength(2);
});

test('the investigator reruns an investigation for an alert that joins it during a run', async () => {
  const service = await harness.service('web-01');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  harness.analysis = async () => {
    await held;
    return verdictOf([finding()]);
  };
  await harness.fire(service);
  harness.investigator.start();
  await expect.poll(() => harness.analysed.length).toBe(1);
  await harness.fire(service);
  release();
  await expect.poll(async () => (await only())?.status).toBe('completed');
  harness.another().start();
  await completed(2);
});

test('the investigator waits longer before each further rerun, so that a storm of alerts causes few of them', async () => {
  const service = await investigated();
  await harness.fire(service);
  await completed(2);
  for (let nth = 0; nth < 20; nth += 1) await harness.fire(service);
  await sleep(200);
  await completed(2);
  expect((await only())?.alerts).toHaveLength(22);
  harness.now += 2 * MINUTE_MS;
  await harness.fire(service);
  await completed(3);
});

test('an investigation keeps the findings of the last run when a rerun fails or is cancelled', async () => {
  const service = await investigated();
  const before = await only();
  harness.analysis = async () => null;
  await harness.fire(service);
  await completed(2);
  expect(await only()).toMatchObject({
    conclusion: 'root_cause_found',
    failure: null,
    findings: before?.findings,
  });
  await harness.investigator.stop();
  harness.now += 5 * MINUTE_MS;
  await harness.fire(service);
  const queued = await only();
  expect(queued?.status).toBe('queued');
  const id = queued?.id ?? '';
  expect(await readInvestigation(harness.admin.sql, ORGANIZATION, id)).toMatchObject({
    conclusion: null,
    confidence: null,
    findings: before?.findings,
  });
  await transact(harness.admin.sql, (tx) =>
    cancelInvestigation(tx, {
      organizationId: ORGANIZATION,
      id,
      now: harness.now,
      eventId: 'evt_1',
      publicUrl: null,
      audit: {
        organizationId: ORGANIZATION,
        actor: { key_id: 'key_1', name: 'test' },
        ip: null,
        now: harness.now,
        newAuditId: () => newId('aud'),
        maxBytesPerHour: 1e6,
      },
    }),
  );
  expect(await only()).toMatchObject({ status: 'completed', conclusion: 'root_cause_found' });
});

test('an alert gets a new investigation when that of its service was cancelled', async () => {
  const service = await harness.service('web-01');
  await harness.fire(service);
  await harness.admin.sql`update investigations set status = 'cancelled', completed_at = ${harness.now}`;
  const second = await harness.fire(service);
  expect((await harness.investigations()).map(({ status, alerts }) => [status, alerts])).toContainEqual([
    'queued',
    [second.id],
  ]);
});
