import { newId } from '@tidewatch/contracts/values/id';
import { toIso } from '@tidewatch/contracts/values/time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotifierBed, ORGANIZATION, rejected } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
beforeEach(async () => {
  bed = await NotifierBed.open();
});
afterEach(() => bed.close());

const event = (type: string, data: object = {}) => ({
  ...{ specversion: '1.0', id: newId('evt'), source: `/tidewatch/${ORGANIZATION}`, type },
  ...{ subject: newId('svc'), time: toIso(bed.now), datacontenttype: 'application/json', data },
});

test('webhooks that asked for a type are told of its events, each once, and nobody else is', async () => {
  const asks = bed.channel({ events: ['service.offline', 'alert.acknowledged'] });
  bed.channel({ events: ['rule.updated'] });
  bed.channel({ events: null });
  bed.channel({ events: ['service.offline'], state: 'disabled' });
  bed.channel({ events: ['service.offline'], kind: 'slack' });
  const offline = event('service.offline');
  const acknowledged = event('alert.acknowledged');
  await bed.publish([offline, event('service.online'), acknowledged, event('service.painted')]);
  await bed.publish([offline]);
  bed.notifier.start();
  await expect
    .poll(() => bed.notifications())
    .toMatchObject([
      { transition: 'event', status: 'delivered', channel: asks.id, attempts: 1 },
      { transition: 'event', status: 'delivered', channel: asks.id, attempts: 1 },
    ]);
  expect(bed.sent.map(({ to, eventId }) => [to, eventId]).toSorted()).toEqual(
    [offline, acknowledged].map(({ id }) => [asks.id, id]).toSorted(),
  );
});

test('a failure is told to who asked for failures, and the failure to tell it to nobody', async () => {
  const [broken, watching] = [
    bed.channel({ events: ['notification.failed', 'rule.deleted'] }),
    bed.channel({ events: ['notification.failed'] }),
  ];
  bed.answers.set(broken.id, () => rejected);
  bed.answers.set(watching.id, () => rejected);
  const failures = () => bed.store.sql<{ event: object }[]>`select event from outbox order by id`;
  bed.notifier.start();
  await bed.publish([event('rule.deleted')]);
  await expect.poll(failures).toHaveLength(1);
  await bed.publish((await failures()).map((row) => row.event));
  await expect
    .poll(async () => (await bed.notifications()).map(({ status, channel }) => [status, channel]).toSorted())
    .toEqual([broken.id, broken.id, watching.id].toSorted().map((id) => ['failed', id]));
  expect(await failures()).toHaveLength(1);
});

test('an event that cannot be read goes to the dead letters, its neighbours are told', async () => {
  bed.channel({ events: ['rule.created'] });
  const [unreadable, sound] = [{ type: 'rule.created', id: 'none' }, event('rule.created')];
  const verdicts = await bed.store.transact((tx) =>
    bed.notifier.consumer.handle(
      [unreadable, sound].map((value, place) => ({
        ...{ topic: 'tidewatch.events', partition: 0, offset: BigInt(place), key: '', value },
        publishedAt: bed.now,
      })),
      tx,
    ),
  );
  expect(verdicts.map(({ kind }) => kind)).toEqual(['deadLetter', 'done']);
  expect(await bed.notifications()).toHaveLength(1);
});
