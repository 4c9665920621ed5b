import { randomBytes } from 'node:crypto';
import { kafkaSource } from './parts/kafka.ts';
import { openPart } from './parts/part.ts';
import { redisSource } from './parts/redis.ts';
import { createProduct, createStack } from './product.ts';

/** A whole Tidewatch for a test, on data of its own. */
export interface Tidewatch {
  /** `http://127.0.0.1:40123` */
  url: string;
  /** An admin key. */
  key: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface TidewatchOptions {
  /**
   * `embedded` (default): one process with a PostgreSQL of its own; needs nothing else. `distributed`: a process for each
   * service, on Kafka and Redis from the environment, from containers or of this machine.
   */
  topology?: 'embedded' | 'distributed';
  /** Further settings, e.g. `{ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '10' }`. */
  settings?: Readonly<Record<string, string>>;
}

/** Starts a Tidewatch and waits until it is ready. Throws with the end of its output when it does not start. */
export async function startTidewatch(options: TidewatchOptions = {}): Promise<Tidewatch> {
  const { topology = 'embedded', settings = {} } = options;
  const parts =
    topology === 'distributed' ? await openParts() : { settings: {}, close: async () => undefined };
  const all = { ...parts.settings, ...settings };
  const product = await (topology === 'distributed' ? createStack([], all) : createProduct(all));
  const stop = async () => {
    await product.remove();
    await parts.close();
  };
  try {
    await product.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: product.url, key: product.key, stop };
}

async function openParts(): Promise<{ settings: Record<string, string>; close(): Promise<void> }> {
  const kafka = await openPart(kafkaSource);
  const redis = await openPart(redisSource);
  const close = async () => {
    await Promise.all([kafka.close(), redis.close()]);
  };
  const lacked = [kafka.part, redis.part].filter((part) => part.state === 'lacked');
  if (kafka.part.state === 'lacked' || redis.part.state === 'lacked') {
    await close();
    throw new Error(`Parts are lacking: ${lacked.map(({ detail }) => detail).join('; ')}`);
  }
  const given = process.env.TIDEWATCH_TEST_POSTGRES_URL;
  return {
    settings: {
      TIDEWATCH_TEST_KAFKA_BROKERS: kafka.part.address.brokers,
      TIDEWATCH_TEST_REDIS_URL: redis.part.address.url,
      ...(given && { TIDEWATCH_TEST_POSTGRES_URL: given }),
      // Brokers may serve other tests too.
      TIDEWATCH_KAFKA_TOPIC_PREFIX: `test-${randomBytes(4).toString('hex')}.`,
    },
    close,
  };
}
