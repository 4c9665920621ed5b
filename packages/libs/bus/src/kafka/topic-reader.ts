import type { Admin, EachBatchPayload, Kafka, Consumer as KafkaConsumer, KafkaMessage } from 'kafkajs';
import type { DeadLetter, Transact } from '../attempt.ts';
import type { Consumer, Delivery } from '../bus.ts';
import { beating, HEARTBEAT_MS } from './beating.ts';
import { fingerprint } from './envelope.ts';
import { describeKafkaFailure } from './failure.ts';
import { createFetchPace, GROUP_BYTES } from './fetch-pace.ts';
import {
  describeFault,
  type Fault,
  type FetchedRecord,
  type LogRange,
  type Standing,
  standingAt,
  stepOf,
} from './log-position.ts';
import { markOf, startTrace, type Trace, traceStep } from './log-trace.ts';
import { createOffsetHints } from './offset-hints.ts';
import type { OffsetStore, Position, Rewind } from './offset-store.ts';
import { createPartitionCommit, type PartitionWork } from './partition-commit.ts';
import type { TopicFormat } from './topic-format.ts';
import { TopicChangedError } from './topic-identity.ts';

export interface TopicReaderOptions<Tx> {
  kafka: Kafka;
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  topic: string;
  /** How many partitions the topic has. */
  partitions: number;
  groupId: string;
  format: TopicFormat<unknown>;
  consumer: Consumer<unknown, Tx>;
  offsets: OffsetStore<Tx>;
  /** Throws TopicChangedError where the topic is not the one that the store knows. */
  identify(): Promise<unknown>;
  transact: Transact<Tx>;
  bury(letters: readonly DeadLetter[]): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** How many records of our partitions are known to lie there and are not applied. */
  onLag(records: number): void;
  /** A batch could not be stored; it is tried again. */
  onFailure(error: unknown): void;
  /** The log lacks records that were applied; reading goes on at `to`, where the log ends or begins to differ. */
  onRewind(rewind: { partition: number; from: bigint; to: bigint }): void;
  /** The reader has stopped for good, e.g. since the topic is not the one it read before. */
  onStop(reason: string): void;
}

export interface TopicReader {
  start(): Promise<void>;
  /** Why it does not get on, in words that may leave the process, or null. */
  failure(): string | null;
  /** Resolves once the partitions that are ours were applied up to these offsets, or after `withinMs`. */
  reach(offsets: ReadonlyMap<number, bigint>, withinMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** A killed reader is missed after this, the least that brokers allow by default; take-over within 15 s rests on it. */
const SESSION_MS = 6_000;
const REACH_MS = 20;

/** Reads a topic in a consumer group, with offsets that the store keeps; Kafka's own are only a hint for its tools. */
export function createTopicReader<Tx>(options: TopicReaderOptions<Tx>): TopicReader {
  const { admin, topic, format, consumer, offsets, sleep } = options;
  const commit = createPartitionCommit({ ...options, groupWeight: GROUP_BYTES });
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
  /** Records of our partitions that are known to lie there and are not applied, and the sum of them. */
  const behind = new Map<number, number>();
  let lag = 0;
  const underWay = new Map<number, Promise<unknown>>();
  /** Brokers that a fetch was sent to and has not come back from. */
  const asked = new Set<string>();
  let assigning: Promise<void> = Promise.resolve();
  let generation = 0;
  /** Whether `standings` are those of the partitions that the group gave us last. */
  let settled = false;
  const hints = createOffsetHints(reader, topic, () => (settled ? standings.values() : []));
  let stopped: string | null = null;
  let away: string | null = null;
  let running = false;
  let closing = false;

  function stopFor(reason: string): void {
    if (stopped !== null || closing) return;
    stopped = reason;
    options.onStop(reason);
    // Not awaited: this may run inside a batch that stop() waits for.
    void reader.stop().catch(() => undefined);
  }

  /** Takes the partitions over in the store and lets the consumer know what is its own now. */
  async function assign(partitions: readonly number[], mine: number): Promise<void> {
    await commit.idle();
    for (let pause = 100; mine === generation && !closing; pause = Math.min(pause * 2, 2_000)) {
      try {
        await options.identify();
        const claimed = await offsets.claim(consumer.name, topic, partitions);
        if (mine !== generation) return;
        const ranges = await rangesOf();
        if (mine !== generation) return;
        standings.clear();
        behind.clear();
        lag = 0;
        for (const position of claimed) {
          const range = ranges(position.partition);
          const found = standingAt(position, range);
          const standing = 'kind' in found ? await tracing(position, found, range) : found;
          if (standing === null) return;
          standings.set(position.partition, standing);
          noteLag(standing, range.high);
        }
        settled = true;
        options.onLag(lag);
        for (const standing of standings.values()) lookAgain(standing);
        consumer.assigned?.({
          partitions: new Set(partitions),
          count: options.partitions,
          hold: (tx: Tx) => hold(tx),
        });
        return;
      } catch (error) {
        if (error instanceof TopicChangedError) return stopFor(error.message);
        // The store or Kafka is away; both are asked again until a newer generation takes over.
        await sleep(pause);
      }
    }
  }

  /** `end` is where the next record of the partition will lie, as far as we know. */
  function noteLag({ partition, next }: Standing, end: bigint): void {
    const records = end > next ? Number(end - next) : 0;
    lag += records - (behind.get(partition) ?? 0);
    behind.set(partition, records);
  }

  /** What the log holds of each partition now. */
  async function rangesOf(): Promise<(partition: number) => LogRange> {
    const rows = new Map((await admin.fetchTopicOffsets(topic)).map((row) => [row.partition, row]));
    return (partition) => {
      const row = rows.get(partition);
      return { low: BigInt(row?.low ?? 0), high: BigInt(row?.high ?? 0) };
    };
  }

  /** Goes back to where we stand, unless that is not there any more: Kafka's client would go on elsewhere unasked. */
  async function seek(standing: Standing, to: bigint): Promise<void> {
    const { partition, next: nextOffset, verify } = standing;
    const ranges = await rangesOf();
    const found = standingAt({ ...standing, nextOffset, fingerprint: verify }, ranges(partition));
    if ('kind' in found) return compare(standing, found, ranges(partition));
    standing.verify = found.verify;
    reader.seek({ topic, partition, offset: String(found.verify === null ? nextOffset : to) });
  }

  /** A standing that compares the log with what was applied; stops and answers null where there is nothing to compare. */
  async function tracing(
    { partition, epoch, nextOffset, fingerprint: mark }: Position,
    fault: Fault,
    range: LogRange,
  ): Promise<Standing | null> {
    const compares = nextOffset !== null && (fault.kind === 'shortened' || fault.kind === 'replaced');
    const trace = compares
      ? startTrace(fault, await offsets.checkpoints(consumer.name, topic, partition), range)
      : null;
    if (nextOffset !== null && trace !== null)
      return { partition, epoch, next: nextOffset, mark, verify: mark, trace };
    stopFor(describeFault(topic, fault));
    return null;
  }

  /** Begins to compare the log with what was applied. */
  async function compare(standing: Standing, fault: Fault, range: LogRange): Promise<void> {
    const { partition, epoch, next: nextOffset, mark: fingerprint } = standing;
    const found = await tracing({ partition, epoch, nextOffset, fingerprint }, fault, range);
    if (found?.trace === undefined || standings.get(partition) !== standing) return;
    standing.trace = found.trace;
    reader.seek({ topic, partition, offset: String(found.trace.at) });
  }

  /** Goes on comparing. Only the log itself says where it ends: a leader that was just elected may not know yet what all have. */
  async function follow(standing: Standing, given: Trace, records: readonly FetchedRecord[]): Promise<void> {
    const { partition } = standing;
    const step = traceStep(given, records);
    if (step.kind === 'lacking') return stopFor(describeFault(topic, given.fault));
    if (step.kind === 'seek') {
      const { low } = (await rangesOf())(partition);
      if (low > step.to) return stopFor(describeFault(topic, given.fault));
      return reader.seek({ topic, partition, offset: String(step.to) });
    }
    const { trace } = step;
    standing.trace = trace;
    if (step.kind === 'more' && trace.at < (await rangesOf())(partition).high)
      return reader.seek({ topic, partition, offset: String(trace.at) });
    if (standings.get(partition) !== standing) return;
    const mark = markOf(trace);
    if (mark === null) return stopFor(describeFault(topic, trace.fault));
    if (step.kind !== 'same') {
      const move = { partition, epoch: standing.epoch, from: standing.next, to: trace.at, fingerprint: mark };
      const epoch = await rewind(standing, move);
      if (epoch === null) return;
      Object.assign(standing, { epoch, next: trace.at, mark });
      options.onRewind(move);
    }
    delete standing.trace;
    standing.verify = standing.mark;
    lookAgain(standing);
  }

  /** The new epoch; null once the partition is not ours any more. */
  async function rewind(standing: Standing, move: Rewind): Promise<number | null> {
    for (let pause = 100; standings.get(move.partition) === standing && !closing; ) {
      try {
        return await offsets.rewind(consumer.name, topic, move);
      } catch (error) {
        if (pause === 100) options.onFailure(error);
        await sleep(pause);
        pause = Math.min(pause * 2, 2_000);
      }
    }
    return null;
  }

  /**
   * A fetch has failed: until the next one the topic can have been recreated, and filled beyond where we stand. The records
   * before are to be seen again.
   */
  function doubt(): void {
    for (const standing of standings.values()) {
      standing.verify = standing.mark;
      lookAgain(standing);
    }
  }

  /** Fetches what is to be seen again: at the end of a log nothing else would come until somebody writes. */
  function lookAgain({ partition, next, verify, trace }: Standing): void {
    if (trace) reader.seek({ topic, partition, offset: String(trace.at) });
    else if (verify !== null) reader.seek({ topic, partition, offset: String(next - 1n) });
  }

  async function hold(tx: Tx): Promise<boolean> {
    const held = [...standings.values()];
    return (await offsets.hold(tx, consumer.name, topic, held)).length === 0;
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
    if (!settled) await beating(assigning, heartbeat);
    const standing = standings.get(batch.partition);
    if (!standing || stopped !== null || !isRunning() || isStale()) return;
    const { messages, partition } = batch;
    const high = BigInt(batch.highWatermark);
    noteLag(standing, high);
    options.onLag(lag);
    const records = messages.map(({ offset, value }) => ({
      offset: BigInt(offset),
      fingerprint: fingerprint(value),
    }));
    if (standing.trace) return beating(follow(standing, standing.trace, records), heartbeat);
    const step = stepOf(standing, records, high);
    if (step.kind === 'seek') return seek(standing, step.to);
    if (step.kind === 'shortened') {
      // The batch may be older than the position: a former owner can have gone on until we took over. Or else the topic
      // was recreated and is being filled again: the record before tells.
      standing.verify = standing.mark;
      return seek(standing, standing.next - 1n);
    }
    if (step.kind !== 'nothing' && step.kind !== 'apply')
      return compare(standing, step, (await rangesOf())(partition));
    if (step.verified) standing.verify = null;
    const last = messages.at(-1)?.offset;
    if (step.kind === 'apply') {
      const work = { move: step.move, ...unpack(partition, messages.slice(step.first)) };
      pace.brought(work.weight);
      const outcome = await beating(commit.submit(work), heartbeat);
      if (outcome !== 'committed') return;
      // A newer generation has read the store itself.
      if (standings.get(partition) === standing) {
        standing.next = step.move.to;
        standing.mark = step.move.fingerprints.at(-1) ?? null;
        noteLag(standing, high);
      }
      options.onLag(lag);
    }
    if (last !== undefined) resolveOffset(last);
    // The next fetch waits for all batches of this one.
    await pace.rest(lag);
  }

  function unpack(partition: number, messages: readonly KafkaMessage[]): Omit<PartitionWork, 'move'> {
    const deliveries: Delivery<unknown>[] = [];
    const unreadable: DeadLetter[] = [];
    let weight = 0;
    for (const { offset, value, timestamp } of messages) {
      weight += value?.length ?? 0;
      const shared = { topic, partition, offset: BigInt(offset), key: '', publishedAt: Number(timestamp) };
      try {
        for (const part of format.decode(value as Buffer)) deliveries.push({ ...shared, value: part });
      } catch (error) {
        const reason = `unreadable: ${error instanceof Error ? error.message : String(error)}`;
        unreadable.push({ delivery: { ...shared, value }, consumer: consumer.name, reason });
      }
    }
    return { deliveries, unreadable, weight };
  }

  reader.on(reader.events.GROUP_JOIN, ({ payload }) => {
    away = null;
    generation += 1;
    settled = false;
    hints.forget();
    assigning = assign(payload.memberAssignment[topic] ?? [], generation);
  });
  reader.on(reader.events.FETCH_START, ({ payload: { nodeId } }) => {
    if (asked.has(String(nodeId))) doubt();
    asked.add(String(nodeId));
    pace.asked();
  });
  reader.on(reader.events.FETCH, ({ payload: { nodeId } }) => {
    asked.delete(String(nodeId));
  });
  reader.on(reader.events.CRASH, ({ payload: { error, restart } }) => {
    if (closing) return;
    away = describeKafkaFailure(error);
    options.onFailure(error);
    if (!restart) stopFor(`the connection to Kafka was given up: ${away}`);
  });

  return {
    async start() {
      await reader.connect();
      await reader.subscribe({ topic, fromBeginning: true });
      if (running || closing) return;
      running = true;
      await reader.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.partitions,
        eachBatch: read,
      });
      if (!closing) hints.start();
    },
    failure: () =>
      stopped ?? away ?? (commit.isFailing() ? 'what was read cannot be stored at the moment' : null),
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
