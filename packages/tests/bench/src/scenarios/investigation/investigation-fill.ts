import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import type { Product } from '@tidewatch/harness/product';

export const METRICS = 100;
/**
 * The end of the day in which payloads are ten seconds apart in any case, ms; it contains the investigated window.
 */
const CLOSE_MS = 2 * HOUR_MS;
const CLOSE_EVERY_MS = 10_000;
const PAYLOADS_AT_ONCE = 500;
const CONNECTIONS = 4;
/** How long before the end of the samples the hosts with a fault have it, ms. */
const TROUBLE_MS = 9 * MINUTE_MS;
const compress = promisify(gzip);

interface Payload {
  host: string;
  timestamp: string;
  metrics: Record<string, number>;
  tags: Record<string, string>;
  processes: { name: string; pid: number; cpu_percent: number; memory_rss: number }[];
}

export function hostName(index: number): string {
  return `investigated-${String(index).padStart(3, '0')}`;
}

/**
 * Sends a day of samples of hosts with 100 metrics and 20 processes, `every` seconds apart, with the same trouble on each at the
 * end; `to` is ms.
 */
export async function fillDay(
  product: Product,
  { hosts, every }: { hosts: number; every: number },
  to: number,
): Promise<number> {
  const times: number[] = [];
  for (let at = to - DAY_MS; at < to - CLOSE_MS; at += every * SECOND_MS) times.push(at);
  for (let at = to - CLOSE_MS; at < to; at += CLOSE_EVERY_MS) times.push(at);
  const parts: (() => Payload[])[] = [];
  for (let start = 0; start < times.length; start += PAYLOADS_AT_ONCE)
    for (let index = 0; index < hosts; index += 1)
      parts.push(() => times.slice(start, start + PAYLOADS_AT_ONCE).map((at) => payload(index, at, to)));
  parts.reverse();
  const connection = async () => {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await ingest(product, part());
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return times.length * hosts * METRICS;
}

/** Sends payloads in one request. */
export async function ingest(product: Product, payloads: readonly object[]): Promise<void> {
  const response = await fetch(`${product.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': product.key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: await compress(JSON.stringify(payloads), { level: 1 }),
  });
  if (!response.ok) throw new Error(`ingest: ${response.status} ${(await response.text()).slice(0, 500)}`);
  await response.arrayBuffer();
}

function payload(index: number, at: number, to: number): Payload {
  const isTrouble = at >= to - TROUBLE_MS;
  const metrics: Record<string, number> = {
    cpu_percent: isTrouble ? 92 + wave(index, at, 0) : 20 + wave(index, at, 0),
  };
  for (let metric = 1; metric < METRICS; metric += 1) {
    const shift = isTrouble && metric % 10 === 1 ? 40 : 0;
    metrics[`metric_${metric}`] = Math.round((50 + shift + wave(index, at, metric)) * 100) / 100;
  }
  const processes = Array.from({ length: 20 }, (_, number) => ({
    name: `process-${number}`,
    pid: 1_000 + number,
    cpu_percent: 1,
    memory_rss: 50_000_000 + number,
  }));
  if (isTrouble) processes.push({ name: 'runaway', pid: 4_711, cpu_percent: 70, memory_rss: 300_000_000 });
  const tags = { role: index % 5 === 0 ? 'db' : 'web', region: `eu-${index % 3}` };
  return { host: hostName(index), timestamp: new Date(at).toISOString(), metrics, tags, processes };
}

/** A value from 0 to 8 that depends on its arguments alone. */
function wave(index: number, at: number, metric: number): number {
  let mix =
    Math.imul(index + 1, 0x9e3779b1) ^
    Math.imul(Math.floor(at / 1_000), 0x85ebca6b) ^
    Math.imul(metric + 1, 0xc2b2ae35);
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return ((mix >>> 8) & 0x3ff) / 128;
}
