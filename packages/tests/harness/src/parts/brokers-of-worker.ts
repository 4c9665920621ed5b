import { inject } from 'vitest';

/** The comma-separated broker addresses of this worker. Throws if the run has no Kafka. */
export function brokersOfWorker(): string {
  const kafka = inject('kafka');
  if (kafka.state === 'lacked') throw new Error(`there is no Kafka: ${kafka.detail}`);
  const all = inject('kafkaOfWorkers');
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  return (all[(worker - 1) % all.length] ?? kafka.address).brokers;
}
