import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForFile } from '@tidewatch/harness/opened';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from '../testing/evaluator.harness.ts';
import { createOutboxRelay } from './outbox-relay.ts';

const harness = await openForFile(EvaluatorHarness.open());

const entries = (...names: string[]) =>
  names.map((name) => ({ organizationId: ORGANIZATION, event: { type: name } }));

function relayTo(published: string[], holder: string, fail = () => false, sql = harness.store.sql) {
  return createOutboxRelay({
    sql,
    holder,
    metrics: createMetrics(),
    logger: createSilentLogger(),
    pollEveryMs: 10,
    async publish(events) {
      if (fail()) throw new Error('the bus is away');
      published.push(...events.map(({ sequence, event }) => `${holder} ${sequence} ${event.type}`));
    },
  });
}

test('the outbox relay publishes events in order, numbers each once and continues after a failed publication', async () => {
  const published: string[] = [];
  let failures = 2;
  const relay = relayTo(published, 'one', () => failures-- > 0);
  await appendEvents(harness.store.sql, entries('a', 'b'));
  relay.start();
  await expect.poll(() => published).toEqual(['one 1 a', 'one 2 b']);
  await appendEvents(harness.store.sql, entries('c'));
  relay.nudge();
  await expect.poll(() => published.at(-1)).toBe('one 3 c');
  await relay.stop();
  await harness.store.sql`update outbox set created_at = created_at - interval '2 days'`;
  expect(await harness.store.sql`select id from outbox where published_at is null`).toHaveLength(0);
});

test('only one process relays the outbox, and the next process continues where it stopped', async () => {
  const published: string[] = [];
  const [one, two] = [relayTo(published, 'one'), relayTo(published, 'two')];
  one.start();
  await appendEvents(harness.store.sql, entries('d'));
  await expect.poll(() => published).toEqual(['one 4 d']);
  two.start();
  await appendEvents(harness.store.sql, entries('e'));
  await expect.poll(() => published.at(-1)).toBe('one 5 e');
  await one.stop();
  await appendEvents(harness.store.sql, entries('f'));
  await expect.poll(() => published.at(-1)).toBe('two 6 f');
  await two.stop();
});

test('an outbox relay without the lease does not query the lease on every nudge', async () => {
  const published: string[] = [];
  const one = relayTo(published, 'one');
  one.start();
  await appendEvents(harness.store.sql, entries('x'));
  await expect.poll(() => published).toHaveLength(1);
  let asked = 0;
  const counting = new Proxy(harness.store.sql, {
    apply(target, self, args) {
      asked += 1;
      return Reflect.apply(target as never, self, args);
    },
  });
  const two = relayTo(published, 'two', () => false, counting);
  two.start();
  await expect.poll(() => asked).toBeGreaterThan(0);
  const askedAtOnce = asked;
  for (let nudge = 0; nudge < 50; nudge += 1) {
    two.nudge();
    await harness.store.sql`select 1`;
  }
  // Allows one more query, since a second may have passed meanwhile.
  expect(asked).toBeLessThanOrEqual(2 * askedAtOnce);
  await one.stop();
  await two.stop();
});

test('sequence numbers of events have no gaps and no repeats after failed publications, restarts and the deletion of published events', async () => {
  const [last] = await harness.store.sql`select max(sequence) as sequence from outbox`;
  const published: string[] = [];
  const sequences = () => [...new Set(published.map((line) => Number(line.split(' ')[1])))];
  for (let round = 0; round < 5; round++) {
    const relay = relayTo(published, `round-${round}`, () => round === 2);
    await appendEvents(harness.store.sql, entries('g', 'h', 'i'));
    relay.start();
    if (round !== 2) await expect.poll(() => published.at(-1)).toMatch(/ i$/);
    await relay.stop();
    // Deletes every published event, as retention may do.
    if (round === 3) await harness.store.sql`delete from outbox where published_at is not null`;
    if (round !== 2)
      expect(await harness.store.sql`select 1 from outbox where sequence is null`).toHaveLength(0);
    if (round !== 2) published.push('');
  }
  const numbers = sequences().filter((each) => each > 0);
  expect(numbers).toEqual(Array.from({ length: 15 }, (_, n) => (last?.sequence as number) + 1 + n));
  expect(published.filter((line) => line !== '')).toHaveLength(15);
});

test('sequence numbers of events continue after the stored positions of the topic of events are deleted', async () => {
  const [last] = await harness.store.sql<
    { sequence: number }[]
  >`select max(sequence)::integer as sequence from outbox`;
  await harness.store.sql`delete from consumer_offsets where topic = ${TOPICS.events}`;
  const published: string[] = [];
  const relay = relayTo(published, 'one');
  await appendEvents(harness.store.sql, entries('g'));
  relay.start();
  await expect.poll(() => published).toEqual([`one ${(last?.sequence ?? 0) + 1} g`]);
  await relay.stop();
});

test('events of other organizations are published before the rest of one organization’s storm', async () => {
  const storm = Array.from({ length: 1_500 }, (_, i) => `storm-${i}`);
  await harness.store.sql`insert into organizations (id, name) values ('org_other', 'other')`;
  await appendEvents(harness.store.sql, entries(...storm));
  await appendEvents(harness.store.sql, [
    { organizationId: 'org_other', event: { type: 'page' } },
    { organizationId: 'org_other', event: { type: 'next page' } },
  ]);
  const published: string[] = [];
  const relay = relayTo(published, 'one');
  relay.start();
  await expect.poll(() => published.length).toBe(1_502);
  await relay.stop();
  const types = published.map((line) => line.split(' ').slice(2).join(' '));
  expect(types.indexOf('page')).toBeLessThan(4);
  expect(types.indexOf('next page')).toBeLessThan(8);
  expect(types.filter((type) => type.startsWith('storm'))).toEqual(storm);
});
