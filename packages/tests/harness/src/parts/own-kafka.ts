import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { type KafkaBroker, startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';

/** A Kafka broker of one suite, which may stop it, and cut its log while it is stopped. */
export interface OwnKafka {
  brokers: string;
  stop(): Promise<void>;
  /** Starts the broker again with its former address and data. */
  start(): Promise<void>;
  /**
   * Cuts the log of a partition before the batch with `offset`, as a power failure might; only while the broker is stopped.
   */
  cut(topic: string, partition: number, offset: bigint): void;
  close(): Promise<void>;
}

/** Why no broker can be started here, or null. */
export const ownKafkaObstacle = kafkaObstacle;

const LAST_OFFSET_DELTA_AT = 23;
const HEADER_BYTES = 12;

export async function startOwnKafka(): Promise<OwnKafka> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-own-kafka-'));
  const options = {
    distribution: fetchKafka(),
    home,
    port: await freePort(),
    controllerPort: await freePort(),
  };
  let broker: KafkaBroker | null = await startKafkaBroker(options);
  const stop = async () => {
    await broker?.stop();
    broker = null;
  };
  return {
    brokers: `127.0.0.1:${options.port}`,
    stop,
    async start() {
      broker ??= await startKafkaBroker(options);
    },
    cut(topic, partition, offset) {
      if (broker !== null) throw new Error('the Kafka broker runs: stop it before cutting its log');
      const data = join(home, 'data');
      // Makes the broker scan its logs at the next start, as after a crash.
      rmSync(join(data, '.kafka_cleanshutdown'), { force: true });
      cutLog(join(data, `${topic}-${partition}`), offset);
    },
    async close() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function cutLog(folder: string, offset: bigint): void {
  const files = readdirSync(folder);
  const derived = files.filter((file) => /\.(index|timeindex|txnindex|snapshot)$/.test(file));
  for (const file of derived) rmSync(join(folder, file));
  const segment = join(
    folder,
    files
      .filter((file) => file.endsWith('.log'))
      .sort()
      .at(-1) ?? '',
  );
  const bytes = readFileSync(segment);
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const last = bytes.readBigInt64BE(at) + BigInt(bytes.readInt32BE(at + LAST_OFFSET_DELTA_AT));
    if (last >= offset) break;
    at += HEADER_BYTES + bytes.readInt32BE(at + 8);
  }
  const file = openSync(segment, 'r+');
  ftruncateSync(file, at);
  fsyncSync(file);
  closeSync(file);
}
