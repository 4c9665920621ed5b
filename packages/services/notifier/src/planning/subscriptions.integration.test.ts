import { newId } from '@tidewatch/contracts/values/id';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { NotifierHarness, rejected } from '../testing/notifier.harness.ts';

let harness: NotifierHarness;
beforeEach(async () => {
  harness = await openForTest(NotifierHarness.open());
});

const event = (type: string, data: object = {}) => harness.envelope(type, newId('svc'), data);

test('an event is delivered once to each enabled webhook that subscribed to its type', async () => {
  const asks = harness.channel({ events: ['service.offline', 'alert.acknowledged'] });
  harness.channel({ events: ['rule.updated'] });
  harness.channel({ events: null });
  harness.channel({ events: ['service.offline'], state: 'disabled' });
  harness.channel({ events: ['service.offline'], kind: 'slack' });
  const offline = event('service.offline');
  const acknowledged = event('alert.acknowledged');
  await harness.publish([offline, event('service.online'), acknowledged, event('service.painted')]);
  await harness.publish([offline]);
  harness.notifier.start();
  await expect
    .poll(() => harness.notifications())
    .toMatchObject([
      { transition: 'event', status: 'delivered', channel: asks.id, attempts: 1 },
      { transition: 'event', status: 'delivered', channel: asks.id, attempts: 1 },
    ]);
  expect(harness.sent.map(({ to, eventId }) => [to, eventId]).toSorted()).toEqual(
    [offline, acknowledged].map(({ id }) => [asks.id, id]).toSorted(),
  );
});

test('notification.failed is delivered to its subscribers, and a failure of that delivery emits no further event', async () => {
  const [broken, watching] = [
    harness.channel({ events: ['notification.failed', 'rule.deleted'] }),
    harness.channel({ events: ['notification.failed'] }),
  ];
  harness.answers.set(broken.id, () => rejected);
  harness.answers.set(watching.id, () => rejected);
  const failures = () => harness.store.sql<{ event: object }[]>`select event from outbox order by id`;
  harness.notifier.start();
  await harness.publish([event('rule.deleted')]);
  await expect.poll(failures).toHaveLength(1);
  await harness.publish((await failures()).map((row) => row.event));
  await expect
    .poll(async () =>
      (await harness.notifications()).map(({ status, channel }) => [status, channel]).toSorted(),
    )
    .toEqual([broken.id, broken.id, watching.id].toSorted().map((id) => ['failed', id]));
  expect(await failures()).toHaveLength(1);
});

test('an invalid event becomes a dead letter, and the others of its batch are delivered', async () => {
  harness.channel({ events: ['rule.created'] });
  const verdicts = await harness.publish([{ type: 'rule.created', id: 'none' }, event('rule.created')]);
  expect(verdicts.map(({ kind }) => kind)).toEqual(['deadLetter', 'done']);
  expect(await harness.notifications()).toHaveLength(1);
});
