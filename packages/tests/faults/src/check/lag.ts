import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { countRests } from '@tidewatch/store/offsets/consumer-rests';
import type { Installation } from '../harness/installation.ts';

export type Consumer = 'writer' | 'evaluator';

/** The end offset of each partition of the topic of samples. */
export async function logEnds({ admin, prefix }: Installation): Promise<Map<number, bigint>> {
  const rows = await admin.fetchTopicOffsets(prefix + TOPICS.samples);
  return new Map(rows.map(({ partition, high }) => [partition, BigInt(high)]));
}

/** The number of records before `ends` that a consumer has not applied yet, plus stored rests. */
export async function lagTo(
  installation: Installation,
  consumer: Consumer,
  ends: ReadonlyMap<number, bigint>,
): Promise<bigint> {
  const { store, prefix } = installation;
  const rows = await store.sql<{ partition: number; next_offset: number | bigint | null }[]>`
    select partition, next_offset from consumer_offsets
    where consumer = ${consumer} and topic = ${prefix + TOPICS.samples}`;
  const next = new Map(rows.map((row) => [row.partition, BigInt(row.next_offset ?? 0)]));
  let lag = BigInt(await countRests(store.sql, consumer, prefix + TOPICS.samples));
  for (const [partition, end] of ends) {
    const at = next.get(partition) ?? 0n;
    if (at < end) lag += end - at;
  }
  return lag;
}

/**
 * Waits until the consumers have applied all present records of the topic; returns the seconds. Throws after `withinMs`.
 */
export async function catchUp(
  installation: Installation,
  withinMs: number,
  consumers: readonly Consumer[] = ['writer', 'evaluator'],
): Promise<number> {
  const ends = await logEnds(installation);
  const began = performance.now();
  for (;;) {
    const lags = await Promise.all(consumers.map((consumer) => lagTo(installation, consumer, ends)));
    const passed = performance.now() - began;
    if (lags.every((lag) => lag === 0n)) return passed / 1_000;
    if (passed > withinMs)
      throw new Error(`timeout: ${lags.join(' and ')} records are not applied after ${withinMs / 1_000} s`);
    await sleep(100);
  }
}
