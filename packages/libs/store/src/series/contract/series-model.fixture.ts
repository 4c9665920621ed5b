import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { Range } from '../series-columns.ts';

/** A host that is deleted while it still sends. */
export const DELETED_HOST = 'web-04';
const HOSTS = ['web-01', 'web-02', 'web-03', DELETED_HOST];
/** More than fit into one block. */
const METRICS = Array.from({ length: 18 }, (_, index) => `m${index}`);
const INTERVAL_MS = 20_000;
const STRETCH_MS = 20 * MINUTE_MS;
/** How old backfilled samples are: older than raw retention, and in no rollup. */
const BACKFILLED_AGE_MS = 12 * DAY_MS;
const PAYLOADS_AT_ONCE = 60;

/** A sample as it counts. */
export interface ModelSample {
  time: number;
  value: number;
  isBackfilled: boolean;
}

/** What a step of the model has. */
export interface ModelStep {
  at: number;
  sum: number;
  count: number;
  min: number;
  max: number;
}

/** Every sample that counts, in memory, and naive answers from it. */
export class SeriesModel {
  readonly #series = new Map<string, Map<number, ModelSample>>();
  readonly #rawFrom: number;

  /** Samples before `rawFrom` (ms) are backfilled. */
  constructor(rawFrom: number) {
    this.#rawFrom = rawFrom;
  }

  /** A later value of the same metric and time replaces an earlier one. */
  add(payloads: readonly Payload[]): void {
    for (const { host, time, metrics, values } of payloads)
      for (const [index, metric] of metrics.entries()) {
        const key = `${host}/${metric}`;
        const own = this.#series.get(key) ?? new Map<number, ModelSample>();
        this.#series.set(key, own);
        own.set(time, { time, value: values[index] as number, isBackfilled: time < this.#rawFrom });
      }
  }

  /** The times of all samples that were not backfilled. */
  get allTimes(): number[] {
    const samples = [...this.#series.values()].flatMap((own) => [...own.values()]);
    return samples.filter(({ isBackfilled }) => !isBackfilled).map(({ time }) => time);
  }

  /** The samples of a metric in a range, oldest first. */
  samples(host: string, metric: string, { from, to }: Range): ModelSample[] {
    return [...(this.#series.get(`${host}/${metric}`)?.values() ?? [])]
      .filter(({ time }) => time >= from && time < to)
      .sort((a, b) => a.time - b.time);
  }

  steps(host: string, metric: string, range: Range, stepMs: number): ModelStep[] {
    const samples = this.samples(host, metric, range);
    return [...Map.groupBy(samples, ({ time }) => bucketOf(time, stepMs))].map(([at, own]) => {
      const values = own.map(({ value }) => value);
      const sum = values.reduce((total, value) => total + value, 0);
      return { at, sum, count: own.length, min: Math.min(...values), max: Math.max(...values) };
    });
  }

  /** The times at which any of the metrics has a sample that was not backfilled, oldest first. */
  times(host: string, metrics: readonly string[], range: Range): number[] {
    const samples = metrics.flatMap((metric) => this.samples(host, metric, range));
    const times = samples.filter(({ isBackfilled }) => !isBackfilled).map(({ time }) => time);
    return [...new Set(times)].sort((a, b) => a - b);
  }
}

/**
 * Transactions of payloads up to `now` (ms) as agents send them: in order, late, sent again with other values, in two payloads of the same
 * time, and older than raw retention.
 */
export function randomTransactions(random: () => number, now: number): Payload[][] {
  const midnight = bucketOf(now, DAY_MS);
  const begins = [
    midnight - 11 * HOUR_MS + Math.floor(random() * HOUR_MS),
    midnight - STRETCH_MS / 2,
    now - STRETCH_MS,
  ].filter((begin) => begin + STRETCH_MS <= now);
  const sent: { at: number; payload: Payload }[] = [];
  const send = (host: string, time: number, metrics: readonly string[], delayMs: number) => {
    const values = metrics.map((metric) => [metric, Math.round(random() * 10_000) / 100]);
    sent.push({
      at: time + delayMs,
      payload: { host, time, ...metricsOf(Object.fromEntries(values)) },
    });
  };
  for (const host of HOSTS) {
    for (const begin of begins)
      for (let at = begin; at < begin + STRETCH_MS; at += INTERVAL_MS) {
        const time = at + Math.floor(random() * INTERVAL_MS);
        const delayMs = random() < 0.15 ? random() * 30 * MINUTE_MS : 0;
        const split = random() < 0.3 ? Math.floor(random() * METRICS.length) : METRICS.length;
        send(host, time, METRICS.slice(0, split), delayMs);
        send(host, time, METRICS.slice(split), delayMs + random() * 10 * MINUTE_MS);
        if (random() < 0.1) send(host, time, METRICS.slice(3, 7), delayMs + random() * HOUR_MS);
      }
    for (let count = 0; count < 30; count += 1) {
      const age = BACKFILLED_AGE_MS + Math.floor(random() * DAY_MS);
      send(host, now - age, METRICS.slice(0, 1 + Math.floor(random() * 17)), age - random() * DAY_MS);
    }
  }
  const ordered = sent
    .filter(({ payload }) => payload.metrics.length > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ payload }) => payload);
  const transactions: Payload[][] = [];
  for (let start = 0; start < ordered.length; start += PAYLOADS_AT_ONCE)
    transactions.push(ordered.slice(start, start + PAYLOADS_AT_ONCE));
  return transactions;
}
