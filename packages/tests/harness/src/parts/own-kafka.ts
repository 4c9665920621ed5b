import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import {
  type KafkaBroker,
  type KafkaBrokerOptions,
  type KafkaLogin,
  startKafkaBroker,
} from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';

/** A Kafka broker of one suite, which may stop it, and cut its log while it is stopped. */
export interface OwnKafka {
  brokers: string;
  stop(): Promise<void>;
  /** Starts the broker again with its former address and data; without a login, with the former one. */
  start(login?: KafkaLogin): Promise<void>;
  /**
   * Cuts the log of a partition before the batch with `offset`, as a power failure might; only while the broker is stopped.
   */
  cut(topic: string, partition: number, offset: bigint): void;
  /** Appends copies of the log's first batch, as if they had been written before others read it; only while it is stopped. */
  appendFirst(topic: string, partition: number, copies: number): void;
  close(): Promise<void>;
}

/** Why no broker can be started here, or null. */
export const ownKafkaObstacle = kafkaObstacle;

const LAST_OFFSET_DELTA_AT = 23;
const HEADER_BYTES = 12;

export async function startOwnKafka(login?: KafkaLogin): Promise<OwnKafka> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-own-kafka-'));
  const port = await freePort();
  let options: KafkaBrokerOptions = {
    distribution: fetchKafka(),
    home,
    port,
    controllerPort: await freePort(),
    ...(login && { login }),
  };
  let broker: KafkaBroker | null = await startKafkaBroker(options);
  const stop = async () => {
    await broker?.stop();
    broker = null;
  };
  function stoppedLog(topic: string, partition: number): string {
    if (broker !== null) throw new Error('the Kafka broker runs: stop it before changing its log');
    const data = join(home, 'data');
    // Makes the broker scan its logs at the next start, as after a crash.
    rmSync(join(data, '.kafka_cleanshutdown'), { force: true });
    return join(data, `${topic}-${partition}`);
  }
  return {
    brokers: `127.0.0.1:${port}`,
    stop,
    async start(other) {
      if (other) options = { ...options, login: other };
      broker ??= await startKafkaBroker(options);
    },
    cut: (topic, partition, offset) => cutLog(stoppedLog(topic, partition), offset),
    appendFirst: (topic, partition, copies) => appendFirst(stoppedLog(topic, partition), copies),
    async close() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Removes what the broker derives from a log, and returns the path and the batches of its newest segment. */
function openSegment(folder: string): { path: string; batches: Buffer[] } {
  const files = readdirSync(folder);
  const derived = files.filter((file) => /\.(index|timeindex|txnindex|snapshot)$/.test(file));
  for (const file of derived) rmSync(join(folder, file));
  const logs = files.filter((file) => file.endsWith('.log')).sort();
  const path = join(folder, logs.at(-1) ?? '');
  const bytes = readFileSync(path);
  const batches: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const size = HEADER_BYTES + bytes.readInt32BE(at + 8);
    batches.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { path, batches };
}

function lastOffset(batch: Buffer): bigint {
  return batch.readBigInt64BE(0) + BigInt(batch.readInt32BE(LAST_OFFSET_DELTA_AT));
}

function cutLog(folder: string, offset: bigint): void {
  const { path, batches } = openSegment(folder);
  writeFileSync(path, Buffer.concat(batches.filter((batch) => lastOffset(batch) < offset)), { flush: true });
}

function appendFirst(folder: string, copies: number): void {
  const { path, batches } = openSegment(folder);
  for (let copy = 0; copy < copies; copy += 1) {
    const [first, last] = [batches[0], batches.at(-1)];
    if (!first || !last) throw new Error(`${path} has no batch to copy`);
    const batch = Buffer.from(first);
    // The offset of a batch is not part of its checksum.
    batch.writeBigInt64BE(lastOffset(last) + 1n, 0);
    batches.push(batch);
  }
  writeFileSync(path, Buffer.concat(batches), { flush: true });
}
