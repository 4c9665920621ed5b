import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { readPublished } from '../../check/events.ts';
import { catchUp } from '../../check/lag.ts';
import type { FaultCase } from '../../fault-case.ts';
import type { Installation } from '../../harness/installation.ts';
import { waitFor } from '../../harness/wait.ts';
import { forgetTopics, isStoppedLoudly } from './changed-topic.ts';

export const brokerKilled: FaultCase = {
  id: '4a',
  fault: 'broker killed (kill -9) and started again',
  failpoints: ['broker killed'],
  async run({ parts, random, times, fired }) {
    for (let kills = times(1, 2); kills > 0; kills -= 1) {
      await parts.kafka.kill();
      fired('broker killed');
      await sleep(1_000 + random() * 4_000);
      await parts.kafka.start();
      await sleep(4_000);
    }
  },
};

const STOPPED_MS = 40_000;

export const brokerStopped: FaultCase = {
  id: '4b',
  fault: 'broker stopped for 40 s (SIGSTOP), ingest refused meanwhile',
  failpoints: ['broker stopped', 'ingest refused with 503'],
  async run({ parts, installation, fired }) {
    parts.kafka.signal('SIGSTOP');
    fired('broker stopped');
    const until = performance.now() + STOPPED_MS;
    const gateway = installation.one('gateway');
    const answer = await fetch(`${gateway.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
      body: JSON.stringify({ host: 'refused-while-stopped', metrics: { cpu_percent: 1 } }),
    });
    if (answer.status === 503 && Number(answer.headers.get('retry-after')) > 0)
      fired('ingest refused with 503');
    await sleep(Math.max(0, until - performance.now()));
    parts.kafka.signal('SIGCONT');
  },
};

/** The load is paused while the log is emptied, so that every acknowledged record has been stored. */
export const brokerEmptied: FaultCase = {
  id: '4c',
  fault: 'broker restarted on an empty log: consumers stop loudly until somebody decides',
  failpoints: ['log emptied', 'writer stopped loudly', 'evaluator stopped loudly'],
  ownParts: true,
  async run({ parts, installation, load, fired, note }) {
    load.freeze();
    await sleep(1_000);
    await catchUp(installation, 60_000);
    for (const id of await readPublished(installation)) installation.emptiedEvents.add(id);
    const consumers = [installation.one('writer'), installation.one('evaluator')];
    const before = await readKafkaPositions(installation);
    await parts.kafka.kill();
    rmSync(join(parts.kafka.home, 'data'), { recursive: true });
    await parts.kafka.start();
    await installation.migrate();
    fired('log emptied');
    for (const consumer of consumers) {
      if (consumer.isRunning() && !(await isStoppedLoudly(consumer, 30_000))) {
        note(`${consumer.name} does not see it while it runs; it is started again`);
        await consumer.stop();
      }
      if (!consumer.isRunning()) await consumer.startUnready();
      if (await isStoppedLoudly(consumer, 30_000)) fired(`${consumer.role} stopped loudly`);
    }
    const after = await readKafkaPositions(installation);
    const moved = movedBetween(before, after);
    if (moved.length > 0)
      throw new Error(`positions moved although no operator has decided: ${moved.join('; ')}`);
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await forgetTopics(installation, [TOPICS.samples, TOPICS.events]);
    await Promise.all(consumers.map((consumer) => consumer.start()));
    load.thaw();
    await waitFor('the load goes on', 30_000, advances(load.acknowledged));
  },
};

type Row = Record<string, unknown>;

/** Positions in topics of Kafka. That of the relay is in the database's outbox, which goes on: hosts without load fall silent. */
const readKafkaPositions = ({ store }: Installation): Promise<Row[]> =>
  store.sql`select * from consumer_offsets where topic <> 'outbox' order by 1, 2, 3`;

/** Describes each position that differs between two reads of `consumer_offsets`. */
function movedBetween(before: readonly Row[], after: readonly Row[]): string[] {
  const nameOf = (row: Row) => `${row.consumer} ${row.topic} ${row.partition}`;
  const earlier = new Map(before.map((row) => [nameOf(row), row.next_offset]));
  const later = new Map(after.map((row) => [nameOf(row), row.next_offset]));
  const names = [...new Set([...earlier.keys(), ...later.keys()])];
  return names
    .filter((name) => earlier.get(name) !== later.get(name))
    .map((name) => `${name} from ${earlier.get(name)} to ${later.get(name)}`);
}

/** Returns a function that returns whether the count has grown since this call. */
function advances(count: () => number): () => boolean {
  const before = count();
  return () => count() > before;
}
