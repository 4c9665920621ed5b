import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@tidewatch/contracts/values/id';
import { transact } from '@tidewatch/store/connection';
import { cancelInvestigation } from '@tidewatch/store/investigations/act';
import { readInvestigation } from '@tidewatch/store/investigations/list';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { InvestigatorBed, ORGANIZATION } from './investigator.bed.ts';
import { finding, verdictOf } from './testing/verdict.ts';

const MINUTE = 60_000;

let bed: InvestigatorBed;
beforeAll(async () => {
  bed = await InvestigatorBed.open();
});
beforeEach(() => bed.reset());
afterAll(() => bed?.close());

const only = async () => {
  const [first, ...others] = await bed.investigations();
  expect(others).toEqual([]);
  return first;
};
const completed = (runs: number) =>
  expect
    .poll(async () => [(await only())?.status, bed.analysed.length], { timeout: 8_000 })
    .toEqual(['completed', runs]);
/** What comes of the next runs: too little history each time, of which more is known after so long. */
const tooLittle = (ms: number) => {
  bed.analysis = async () => verdictOf([], { summary: 'Too little.', enoughAt: bed.now + ms });
};

test('runs an investigation that had too little history once more, when enough is known, and no third time', async () => {
  tooLittle(5 * MINUTE);
  await bed.publish([(await bed.fired(await bed.service('web-01'))).event]);
  bed.investigator.start();
  await completed(1);
  expect(await only()).toMatchObject({ conclusion: 'inconclusive', history_redone: false });
  bed.now += 20 * MINUTE;
  await completed(2);
  expect(await only()).toMatchObject({ history_redone: true, history_at: null });
  bed.now += 20 * MINUTE;
  await sleep(300);
  bed.another().start();
  await completed(2);
});

test('runs it once more after a restart, by one of several processes, though its alert has resolved', async () => {
  tooLittle(5 * MINUTE);
  await bed.publish([(await bed.fired(await bed.service('web-01'))).event]);
  bed.investigator.start();
  await completed(1);
  await bed.investigator.stop();
  await bed.admin
    .sql`update alerts set status = 'resolved', state = 'resolved', resolved_at = ${bed.now}, resolution = 'recovered'`;
  bed.now += 30 * MINUTE;
  bed.analysis = async () => verdictOf([finding()]);
  for (const each of [bed.another(), bed.another(), bed.another()]) each.start();
  await completed(2);
  expect(await only()).toMatchObject({ conclusion: 'root_cause_found', reruns: 1 });
});

test('runs no investigation again that had enough history', async () => {
  await bed.publish([(await bed.fired(await bed.service('web-01'))).event]);
  bed.investigator.start();
  await completed(1);
  expect(await only()).toMatchObject({ history_at: null, again_at: null });
});

test('runs an investigation again for an alert that joins it after it has ended, with that alert in its timeline', async () => {
  const service = await bed.service('web-01');
  await bed.publish([(await bed.fired(service)).event]);
  bed.investigator.start();
  await completed(1);
  bed.now += MINUTE;
  const second = await bed.fired(service);
  await bed.publish([second.event]);
  await completed(2);
  const whole = await only();
  expect(whole?.alerts).toContain(second.id);
  expect(whole?.timeline.filter(({ type }) => type === 'fired')).toHaveLength(2);
});

test('runs an investigation again for an alert that joins it while it runs', async () => {
  const service = await bed.service('web-01');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  bed.analysis = async () => {
    await held;
    return verdictOf([finding()]);
  };
  await bed.publish([(await bed.fired(service)).event]);
  bed.investigator.start();
  await expect.poll(() => bed.analysed.length).toBe(1);
  await bed.publish([(await bed.fired(service)).event]);
  release();
  await expect.poll(async () => (await only())?.status).toBe('completed');
  bed.another().start();
  await completed(2);
});

test('waits longer before each further run, so that a storm of alerts costs few of them', async () => {
  const service = await bed.service('web-01');
  await bed.publish([(await bed.fired(service)).event]);
  bed.investigator.start();
  await completed(1);
  await bed.publish([(await bed.fired(service)).event]);
  await completed(2);
  for (let nth = 0; nth < 20; nth += 1) await bed.publish([(await bed.fired(service)).event]);
  await sleep(200);
  await completed(2);
  expect((await only())?.alerts).toHaveLength(22);
  bed.now += 2 * MINUTE;
  await bed.publish([(await bed.fired(service)).event]);
  await completed(3);
});

test('keeps what the last run found where the next fails or is cancelled', async () => {
  const service = await bed.service('web-01');
  await bed.publish([(await bed.fired(service)).event]);
  bed.investigator.start();
  await completed(1);
  const before = await only();
  bed.analysis = async () => null;
  await bed.publish([(await bed.fired(service)).event]);
  await completed(2);
  expect(await only()).toMatchObject({
    ...{ conclusion: 'root_cause_found', failure: null, findings: before?.findings },
  });
  await bed.investigator.stop();
  bed.now += 5 * MINUTE;
  await bed.publish([(await bed.fired(service)).event]);
  const queued = await only();
  expect(queued?.status).toBe('queued');
  const id = queued?.id ?? '';
  expect(await readInvestigation(bed.admin.sql, ORGANIZATION, id)).toMatchObject({
    ...{ conclusion: null, confidence: null, findings: before?.findings },
  });
  await transact(bed.admin.sql, (tx) =>
    cancelInvestigation(tx, {
      ...{ organizationId: ORGANIZATION, id, now: bed.now, eventId: 'evt_1', publicUrl: null },
      audit: {
        ...{ organizationId: ORGANIZATION, actor: { key_id: 'key_1', name: 'test' }, ip: null, now: bed.now },
        ...{ newAuditId: () => newId('aud'), maxBytesPerHour: 1e6 },
      },
    }),
  );
  expect(await only()).toMatchObject({ status: 'completed', conclusion: 'root_cause_found' });
});

test('gives an alert an investigation of its own where that of its service was cancelled', async () => {
  const service = await bed.service('web-01');
  await bed.publish([(await bed.fired(service)).event]);
  await bed.admin.sql`update investigations set status = 'cancelled', completed_at = ${bed.now}`;
  const second = await bed.fired(service);
  await bed.publish([second.event]);
  expect((await bed.investigations()).map(({ status, alerts }) => [status, alerts])).toContainEqual([
    'queued',
    [second.id],
  ]);
});
