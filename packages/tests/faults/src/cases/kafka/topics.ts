import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { catchUp } from '../../check/lag.ts';
import type { FaultCase } from '../../fault-case.ts';
import { waitFor } from '../../harness/wait.ts';
import { emptyTopic, forgetTopics, isStoppedLoudly } from './changed-topic.ts';

export const partitionsRaised: FaultCase = {
  id: '18a',
  fault: 'partition count raised from 4 to 8 while everything runs: refused loudly at the next start',
  failpoints: ['partitions raised', 'accepted meanwhile', 'refused loudly'],
  shape: { partitions: 4 },
  async run({ installation, load, fired }) {
    const { admin, prefix } = installation;
    await admin.createPartitions({ topicPartitions: [{ topic: prefix + TOPICS.samples, count: 8 }] });
    fired('partitions raised');
    const before = load.acknowledged();
    await sleep(8_000);
    if (load.acknowledged() > before) fired('accepted meanwhile');
    load.freeze();
    await sleep(1_000);
    await catchUp(installation, 60_000);
    const services = [installation.one('gateway'), installation.one('writer'), installation.one('evaluator')];
    for (const service of services) await service.stop();
    await installation.one('writer').startUnready();
    if (await isStoppedLoudly(installation.one('writer'), 30_000)) fired('refused loudly');
    await installation.one('writer').stop();
    await emptyTopic(installation, TOPICS.samples);
    await forgetTopics(installation, [TOPICS.samples]);
    await Promise.all(services.map((service) => service.start()));
    load.thaw();
    const then = load.acknowledged();
    await waitFor('the load goes on', 30_000, () => load.acknowledged() > then);
  },
};

/** Deletes records of the topic while only heartbeats are unread, so that no acknowledged sample is lost. */
export const recordsDeleted: FaultCase = {
  id: '18b',
  fault: 'records deleted before they were read: the consumer stops loudly until somebody decides',
  failpoints: ['unread records deleted', 'stopped loudly'],
  async run({ installation, load, fired }) {
    const writer = installation.one('writer');
    load.freeze();
    await sleep(1_000);
    await catchUp(installation, 60_000);
    await writer.kill();
    await sleep(4_000);
    await emptyTopic(installation, TOPICS.samples);
    fired('unread records deleted');
    await writer.startUnready();
    if (await isStoppedLoudly(writer, 30_000)) fired('stopped loudly');
    const services = [writer, installation.one('evaluator')];
    await Promise.all(services.map((service) => service.stop()));
    await forgetTopics(installation, [TOPICS.samples]);
    await Promise.all(services.map((service) => service.start()));
    load.thaw();
  },
};
