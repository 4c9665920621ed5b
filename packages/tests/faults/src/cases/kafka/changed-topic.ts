import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../../harness/installation.ts';
import type { Service } from '../../harness/service.ts';

/** Whether the service reports within this time that it has stopped, and names the document with the remedy. */
export async function isStoppedLoudly(service: Service, withinMs: number): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(250)) {
    const said = await service.readiness();
    if (
      said?.status === 'unavailable' &&
      said.reasons.some((reason) => reason.includes('A topic that changed'))
    )
      return true;
  }
  return false;
}

/** Deletes the records of a topic that was read completely, so that no record is evaluated again. */
export async function emptyTopic({ admin, prefix }: Installation, name: string): Promise<void> {
  const topic = prefix + name;
  const ends = await admin.fetchTopicOffsets(topic);
  const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
  await admin.deleteTopicRecords({ topic, partitions });
}

/**
 * Deletes the stored identity of topics: the last step of "A topic that changed" in docs/distributed.md, with all services
 * stopped.
 */
export async function forgetTopics(
  { store, prefix }: Installation,
  topics: readonly string[],
): Promise<void> {
  const names = topics.flatMap((topic) => [topic, prefix + topic]);
  await store.sql`delete from consumer_offsets where topic in ${store.sql(names)}`;
  await store.sql`delete from bus_topics where topic in ${store.sql(names)}`;
}
