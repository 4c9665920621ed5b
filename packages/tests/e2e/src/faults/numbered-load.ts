import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';

/** A request of the load; its payloads differ only in their time. */
interface NumberedBatch {
  number: number;
  body: unknown[];
}

export interface NumberedLoad {
  /** Sends batches, `connections` at a time, until `stop` is called or `until` returns true. */
  run(until: () => boolean | Promise<boolean>): Promise<void>;
  /** Retries each unfinished request until it is answered with 200. */
  finish(): Promise<void>;
  /** The number of samples in batches that were answered with 200. */
  acknowledged(): number;
  /** The number of batches that have not been answered with 200. */
  open(): number;
  /** Returns how often each status was answered, with the problem's code if there was one: `503 storage_full`. */
  verdicts(): ReadonlyMap<string, number>;
  /** Reads all samples of the load back; returns their number and the sum of their values. */
  recount(): Promise<{ samples: number; sum: number }>;
  /** The expected recount of every acknowledged payload. */
  expected(): { samples: number; sum: number };
}

export interface LoadShape {
  host: string;
  /** Metrics of one payload and payloads of one request. */
  metrics: number;
  payloads: number;
  connections: number;
  /** The time of the first payload, a full hour, ms since the epoch; each further payload is one second later. */
  startsAt: number;
}

/** A load whose samples are all known, so that a recount can be compared with it. */
export function createNumberedLoad(client: Client, shape: LoadShape): NumberedLoad {
  const { host, metrics, payloads, connections, startsAt } = shape;
  const refused = new Map<number, NumberedBatch>();
  const taken: number[] = [];
  const verdicts = new Map<string, number>();
  let next = 0;

  function make(number: number): NumberedBatch {
    const body = Array.from({ length: payloads }, (_, index) => ({
      host,
      timestamp: new Date(startsAt + (number * payloads + index) * 1_000).toISOString(),
      metrics: Object.fromEntries(
        Array.from({ length: metrics }, (_unused, metric) => [
          `m${metric}`,
          sampleValue(number, index, metric),
        ]),
      ),
    }));
    return { number, body };
  }

  async function send(batch: NumberedBatch): Promise<boolean> {
    const answer = await client
      .ingest(batch.body)
      .catch((error: Error) => ({ status: 0, body: { code: (error.cause as { code?: string })?.code } }));
    const verdict = answer.status === 200 ? '200' : `${answer.status} ${answer.body?.code}`;
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (answer.status === 422)
      throw new Error(`The load is refused permanently: ${JSON.stringify(answer.body)}`);
    if (answer.status !== 200) {
      refused.set(batch.number, batch);
      return false;
    }
    refused.delete(batch.number);
    taken.push(batch.number);
    return true;
  }

  return {
    acknowledged: () => taken.length * payloads * metrics,
    open: () => refused.size,
    verdicts: () => verdicts,
    async run(until) {
      let ended = false;
      async function work(): Promise<void> {
        for (let batch = make(next++); !ended; ) {
          const accepted = await send(batch);
          if (await until()) ended = true;
          if (ended) return;
          if (accepted) batch = make(next++);
          else await sleep(100);
        }
      }
      await Promise.all(Array.from({ length: connections }, work));
    },
    async finish() {
      for (const batch of [...refused.values()]) while (!(await send(batch))) await sleep(500);
    },
    async recount() {
      const list = await client.expect(200, 'GET', `/services?q=${host}`);
      const from = new Date(startsAt).toISOString();
      const hours = Math.ceil((next * payloads) / 3_600);
      const to = new Date(startsAt + hours * 3_600_000).toISOString();
      const found = { samples: 0, sum: 0 };
      for (let metric = 0; metric < metrics; metric += 1) {
        const path = `/services/${list.services[0].id}/metrics?metrics=m${metric}&from=${from}&to=${to}&step=3600`;
        const { series } = await client.expect(200, 'GET', path);
        for (const point of series[0].points) {
          found.samples += point.count;
          found.sum += point.count * point.avg;
        }
      }
      return { samples: found.samples, sum: Math.round(found.sum) };
    },
    expected() {
      let sum = 0;
      for (const number of taken)
        for (let index = 0; index < payloads; index += 1)
          for (let metric = 0; metric < metrics; metric += 1) sum += sampleValue(number, index, metric);
      return { samples: taken.length * payloads * metrics, sum };
    },
  };
}

/** Whole numbers, so that sums are exact, and varied, so that they do not compress. */
function sampleValue(number: number, index: number, metric: number): number {
  return (Math.imul(number * 1_000 + index, 2_654_435_761) ^ Math.imul(metric + 1, 40_503)) >>> 8;
}
