import { backoffMs } from '@tidewatch/contracts/time/backoff';
import type { EachBatchPayload, Consumer as KafkaConsumer } from 'kafkajs';
import { describeKafkaFailure } from '../failure.ts';
import { fingerprint } from '../format/envelope.ts';
import { createLogComparison, TAKEOVER_BACKOFF } from '../position/log-comparison.ts';
import { type Standing, stepOf } from '../position/log-position.ts';
import { createOffsetHints } from '../position/offset-hints.ts';
import type { Position } from '../position/offset-store.ts';
import { TopicChangedError } from '../position/topic-identity.ts';
import { beating, HEARTBEAT_MS } from './beating.ts';
import { createFetchPace, GROUP_BYTES } from './fetch-pace.ts';
import { createPartitionCommit } from './partition-commit.ts';
import { ReaderLag } from './reader-lag.ts';
import type { TopicReader, TopicReaderOptions } from './reader-options.ts';
import { recordUnpacker } from './record-unpacker.ts';
import { startAgain } from './start-again.ts';
import { Takeovers } from './takeovers.ts';

/** The group session timeout: the minimum that brokers allow, so that a killed reader's partitions move within 15 s. */
const SESSION_MS = 6_000;
const REACH_MS = 20;

/** Reads a topic in a consumer group from the offsets in the store; the offsets in Kafka are only for its tools. */
export function createTopicReader<Tx>(options: TopicReaderOptions<Tx>): TopicReader {
  const { topic, format, consumer, offsets, sleep } = options;
  const unpack = recordUnpacker(topic, format, consumer.name);
  const commit = createPartitionCommit({ ...options, groupWeight: GROUP_BYTES, onRoom: resumePaused });
  const pace = createFetchPace(consumer.prompt === true, sleep);
  const reader: KafkaConsumer = options.kafka.consumer({
    groupId: options.groupId,
    sessionTimeout: SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: 10_000,
    ...pace.settings,
    allowAutoTopicCreation: false,
    retry: { retries: 10, initialRetryTime: 100, maxRetryTime: 2_000 },
  });
  const standings = new Map<number, Standing>();
  const lag = new ReaderLag();
  /** Functions that resume the partitions that were paused while the memory for rests was full. */
  const resumes: (() => void)[] = [];
  const underWay = new Map<number, Promise<unknown>>();
  /** Brokers with a fetch that is not answered yet. */
  const asked = new Set<string>();
  const takeovers = new Takeovers(takeOver);
  /** True if `standings` belong to the newest assignment. */
  let settled = false;
  const comparison = createLogComparison({
    admin: options.admin,
    topic,
    consumer: consumer.name,
    offsets,
    sleep,
    seekTo: (partition, offset) => reader.seek({ topic, partition, offset: String(offset) }),
    isCurrent: (standing) => standings.get(standing.partition) === standing && !closing,
    onFailure: options.onFailure,
    onRewind: options.onRewind,
    async moved(standing, place) {
      const rests = await offsets.rests(consumer.name, topic, [place.partition]);
      // The rests are resumed only while this assignment is the newest: a newer one reads them itself.
      if (standings.get(place.partition) === standing && settled) commit.resume(place, rests);
    },
    onRefused: () => {
      if (settled) takeovers.lost();
    },
    onFault: stopFor,
  });
  const hints = createOffsetHints(reader, topic, () => (settled ? standings.values() : []));
  let stopped: string | null = null;
  let away: string | null = null;
  let isTakeoverFailing = false;
  let isReconnected = false;
  let running = false;
  let closing = false;

  function stopFor(reason: string): void {
    if (stopped !== null || closing) return;
    stopped = reason;
    options.onStop(reason);
    // Not awaited, because this may run inside a batch whose end stop() waits for.
    void reader.stop().catch(() => undefined);
  }

  /** Takes the partitions over in the store and passes the assignment to the consumer. */
  async function takeOver(partitions: readonly number[], isNewest: () => boolean): Promise<void> {
    await commit.release();
    for (let failures = 0; isNewest() && !closing; failures += 1) {
      try {
        await options.identify();
        if (!isNewest()) return;
        const claimed = await offsets.claim(consumer.name, topic, partitions);
        if (!isNewest()) return;
        const rests = await offsets.rests(consumer.name, topic, partitions);
        const ranges = await comparison.ranges();
        if (!isNewest()) return;
        standings.clear();
        lag.clear();
        for (const position of claimed) {
          const range = ranges(position.partition);
          const standing = await comparison.standingOf(position, range);
          if (standing === null) return;
          standings.set(position.partition, standing);
          lag.note(standing, range.high);
        }
        settled = true;
        isTakeoverFailing = false;
        options.onLag(lag.records);
        for (const standing of standings.values()) comparison.fetchMarkAgain(standing);
        consumer.assigned?.({
          partitions: new Set(partitions),
          count: options.partitions,
          hold: (tx: Tx) => hold(tx),
        });
        for (const standing of standings.values())
          commit.resume(
            standing,
            rests.filter(({ partition }) => partition === standing.partition),
          );
        return;
      } catch (error) {
        if (error instanceof TopicChangedError) return stopFor(error.message);
        // The store or Kafka is unavailable: retry until there is a newer assignment.
        if (failures === 0) options.onFailure(error);
        isTakeoverFailing = true;
        await sleep(backoffMs(failures, TAKEOVER_BACKOFF, 1));
      }
    }
  }

  /**
   * While a connection was away or fetches failed, the log may have lost its end or been recreated, and filled up to the position
   * or beyond. So the record before the position is fetched again and compared.
   */
  function verifyAgain(): void {
    isReconnected = false;
    for (const standing of standings.values()) {
      standing.verify = standing.mark;
      comparison.fetchMarkAgain(standing);
    }
  }

  function resumePaused(): void {
    for (const resume of resumes.splice(0)) resume();
  }

  async function hold(tx: Tx): Promise<boolean> {
    const lost = await offsets.hold(tx, consumer.name, topic, [...standings.values()]);
    // Not awaited: reading waits for a connection, and this transaction has one.
    if (lost.length > 0) void compareEpochs(lost);
    return lost.length === 0;
  }

  /** Finds out whether the store has newer claims of these partitions, or a transaction of this process had locked them. */
  async function compareEpochs(partitions: readonly number[]): Promise<void> {
    const stored = await offsets.read(consumer.name, topic, partitions).catch(() => []);
    const isNewer = ({ partition, epoch }: Position) => epoch > (standings.get(partition)?.epoch ?? epoch);
    if (settled && stored.some(isNewer)) takeovers.lost();
  }

  function read(payload: EachBatchPayload): Promise<void> {
    const { partition } = payload.batch;
    const before = underWay.get(partition) ?? Promise.resolve();
    const reading = before.catch(() => undefined).then(() => readBatch(payload));
    underWay.set(partition, reading);
    return reading;
  }

  async function readBatch(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, resolveOffset, isRunning, isStale } = payload;
    if (!settled) await beating(takeovers.running, heartbeat);
    const standing = standings.get(batch.partition);
    if (!standing || stopped !== null || !isRunning() || isStale()) return;
    const { messages, partition } = batch;
    const high = BigInt(batch.highWatermark);
    lag.note(standing, high);
    options.onLag(lag.records);
    const records = messages.map(({ offset, value }) => ({
      offset: BigInt(offset),
      fingerprint: fingerprint(value),
    }));
    if (standing.trace) return beating(comparison.follow(standing, standing.trace, records), heartbeat);
    const step = stepOf(standing, records, high);
    if (step.kind === 'seek') return comparison.seek(standing, step.to);
    if (step.kind === 'shortened') {
      // The batch is older than the position, either because the former owner went on until the takeover, or because the
      // topic was recreated: comparing the record before the position shows which.
      standing.verify = standing.mark;
      return comparison.seek(standing, standing.next - 1n);
    }
    if (step.kind !== 'nothing' && step.kind !== 'apply')
      return comparison.compare(standing, step, (await comparison.ranges())(partition));
    if (step.verified) standing.verify = null;
    if (step.kind === 'apply') {
      const work = { move: step.move, ...unpack(partition, messages.slice(step.first)) };
      pace.received(work.weight);
      const outcome = await beating(commit.submit(work), heartbeat);
      const isCurrent = standings.get(partition) === standing;
      if (outcome === 'taken_over' && isCurrent && settled) takeovers.lost();
      if (outcome !== 'committed') return;
      // A newer assignment has read the position from the store already.
      if (isCurrent) {
        standing.next = step.move.to;
        standing.mark = step.move.fingerprints.at(-1) ?? null;
        lag.note(standing, high);
      }
      options.onLag(lag.records);
    }
    const last = messages.at(-1)?.offset;
    if (last !== undefined) resolveOffset(last);
    if (commit.isFull(partition)) resumes.push(payload.pause());
    // Waits here, since the next fetch is sent once all batches of this one are processed.
    await pace.pauseAfterFetch(lag.records);
  }

  const run = () =>
    reader.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: options.partitions,
      eachBatch: read,
    });

  function setAway(error: unknown): void {
    away = describeKafkaFailure(error);
  }

  function forget(): void {
    settled = false;
    hints.forget();
    resumePaused();
  }

  reader.on(reader.events.GROUP_JOIN, ({ payload }) => {
    away = null;
    forget();
    takeovers.assigned(payload.memberAssignment[topic] ?? []);
  });
  reader.on(reader.events.HEARTBEAT, () => {
    if (takeovers.heartbeat()) forget();
    else comparison.checkEnds(standings.values());
  });
  reader.on(reader.events.FETCH_START, ({ payload: { nodeId } }) => {
    if (isReconnected || asked.has(String(nodeId))) verifyAgain();
    asked.add(String(nodeId));
    pace.sent();
  });
  reader.on(reader.events.FETCH, ({ payload: { nodeId } }) => {
    asked.delete(String(nodeId));
    // The fetch may have waited for the new connection itself: what it returned is dropped then.
    if (isReconnected) verifyAgain();
  });
  options.kafka.onConnection(() => {
    isReconnected = true;
  });
  reader.on(reader.events.CRASH, ({ payload: { error, restart } }) => {
    if (closing) return;
    setAway(error);
    options.onFailure(error);
    if (!restart && stopped === null)
      void startAgain({
        reader,
        run,
        sleep,
        isClosing: () => closing || stopped !== null,
        onFailure: setAway,
      });
  });

  return {
    async start() {
      await reader.connect();
      await reader.subscribe({ topic, fromBeginning: true });
      if (running || closing) return;
      running = true;
      await run();
      if (!closing) hints.start();
    },
    failure() {
      if (stopped !== null || away !== null) return stopped ?? away;
      if (commit.isFailing()) return 'the records that were read cannot be stored';
      return isTakeoverFailing ? 'the partitions that the group assigned cannot be taken over' : null;
    },
    async reach(targets, withinMs) {
      const short = () =>
        stopped === null &&
        (standings.size === 0 ||
          [...targets].some(
            ([partition, offset]) => (standings.get(partition)?.next ?? offset + 1n) <= offset,
          ));
      for (let left = withinMs; left > 0 && targets.size > 0 && short(); left -= REACH_MS)
        await sleep(REACH_MS);
    },
    async stop() {
      closing = true;
      await commit.close();
      await hints.stop();
      await reader.disconnect();
    },
  };
}
