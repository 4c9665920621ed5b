import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStream, openEventStream } from '@tidewatch/harness/event-stream';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect } from 'vitest';
import { type Client, createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import type { Target } from '../target.ts';
import {
  BUSY_PERCENT,
  type CountingExporter,
  SWITCHES_PER_SECOND,
  startCountingExporter,
} from './counting-exporter.ts';
import { findAgent, SDK_SENDER, startAgent } from './real-agent.ts';
import { type ScraperName, startScraper } from './start-scraper.ts';

const SCRAPERS = (['prometheus', 'vmagent'] as const).map((name) => ({ name, program: findAgent(name) }));
/** What the counter `orders` of the SDK's sender grows by in a second at most. */
const ORDERS_PER_SECOND = 20;
/** How far a rate may be off because an agent notes the time of a scrape before or after it, as a share. */
const TOLERANCE = 0.35;

export const lacksScrapers = SCRAPERS.some(({ program }) => program === undefined);

interface Point {
  t: string;
  avg: number | null;
  count: number;
}

export interface ScrapedHost {
  name: string;
  scraper: ScraperName;
  exporter: CountingExporter;
}

/** Prometheus, vmagent and the SDK of OpenTelemetry, which send every 2 s what is known. */
export interface CountingFleet {
  client: Client;
  scraped: readonly ScrapedHost[];
  /** The host of the SDK's sender. */
  sdkHost: string;
  /** Resolves once each host has at least as many stored answers of its exporter as were served until now. */
  caughtUp(timeoutMs: number): Promise<void>;
  /** The values of a metric by second, the oldest first. */
  valuesOf(host: string, metric: string): Promise<number[]>;
  /** Fails where a value is lost, stored twice or false, or a host was said to be offline. */
  check(): Promise<void>;
  /** Fails where an answer of an exporter other than the first has no rates, or nothing was computed of them. */
  checkRates(): Promise<void>;
}

/** Starts them in an organization of its own, and waits until each has sent. To be called in a test. */
export async function startCountingFleet(target: Pick<Target, 'url' | 'key'>): Promise<CountingFleet> {
  const own = await inOwnOrganization(target);
  const client = createClient(own);
  const startedAt = Date.now();
  const events = await openForTest(
    openEventStream(`${own.url}/api/v1/events?types=service.offline`, { key: own.key }),
  );
  expect(events.status).toBe(200);
  const scraped = await Promise.all(
    SCRAPERS.map(({ name, program }) => startScraped(own, name, program as string)),
  );
  const sdkHost = uniqueName('sdk');
  const env = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${own.url}/v1/metrics`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${own.key}`,
    OTEL_RESOURCE_ATTRIBUTES: `host.name=${sdkHost},service.name=checkout`,
    OTEL_METRIC_EXPORT_INTERVAL: '2000',
  };
  await openForTest(startAgent(process.execPath, [SDK_SENDER], folderForTest(), env));
  const fleet = fleetOf({ client, scraped, sdkHost, startedAt, events });
  for (const host of [sdkHost, ...scraped.map(({ name }) => name)]) await serviceOf(client, host);
  return fleet;
}

async function startScraped(own: Pick<Target, 'url' | 'key'>, scraper: ScraperName, program: string) {
  const folder = folderForTest();
  writeFileSync(join(folder, 'key'), own.key, { mode: 0o600 });
  const exporter = await openForTest(startCountingExporter());
  const name = uniqueName(scraper);
  const options = { folder, url: own.url, exporterPort: exporter.port, host: name };
  await openForTest(startScraper(scraper, program, options));
  return { name, scraper, exporter };
}

interface Parts extends Pick<CountingFleet, 'client' | 'scraped' | 'sdkHost'> {
  startedAt: number;
  events: EventStream;
}

function fleetOf({ client, scraped, sdkHost, startedAt, events }: Parts): CountingFleet {
  async function pointsOf(host: string, metric: string, subject = ''): Promise<Point[]> {
    const { id } = await serviceOf(client, host);
    const range = `from=${new Date(startedAt - 5_000).toISOString()}&to=${new Date().toISOString()}&step=1`;
    const path = `/services/${id}/metrics?metrics=${metric}${subject}&${range}`;
    const { series } = await client.expect(200, 'GET', path);
    return ((series[0]?.points ?? []) as Point[]).filter(({ count }) => count > 0);
  }

  const valuesOf = async (host: string, metric: string, subject = '') =>
    (await pointsOf(host, metric, subject)).map(({ avg }) => avg as number);

  async function checkScraped({ name }: ScrapedHost): Promise<void> {
    const points = await pointsOf(name, 'node_load1');
    const [first = 0] = points.map(({ avg }) => avg as number);
    const wanted = points.map((_, index) => ({ avg: first + index, count: 1 }));
    expect(
      points.map(({ avg, count }) => ({ avg, count })),
      `answers of ${name}`,
    ).toEqual(wanted);
    expectNear(await valuesOf(name, 'node_context_switches_per_second'), SWITCHES_PER_SECOND, name);
    expectNear(await valuesOf(name, 'cpu_percent'), BUSY_PERCENT, name);
  }

  return {
    client,
    scraped,
    sdkHost,
    valuesOf,
    async caughtUp(timeoutMs) {
      for (const { name, exporter } of scraped) {
        const last = exporter.served().length;
        const newest = async () => (await valuesOf(name, 'node_load1')).at(-1) ?? 0;
        await expect.poll(newest, { timeout: timeoutMs, interval: 1_000 }).toBeGreaterThanOrEqual(last);
      }
      // What is under way when the newest answer is seen.
      await sleep(SEEN.timeout / 5);
    },
    async checkRates() {
      const until = new Date().toISOString();
      for (const { name } of scraped) {
        const timesOf = async (metric: string) =>
          (await pointsOf(name, metric)).map(({ t }) => t).filter((t) => t <= until);
        const lacking = async (metric: string) => {
          const [, ...answered] = await timesOf('node_load1');
          const rated = await timesOf(metric);
          return answered.filter((t) => !rated.includes(t));
        };
        // Prometheus sends the series of one scrape in several requests, up to 5 s apart.
        for (const metric of ['node_context_switches_per_second', 'cpu_percent'])
          await expect.poll(() => lacking(metric), SEEN).toEqual([]);
      }
    },
    async check() {
      for (const host of scraped) await checkScraped(host);
      const orders = await valuesOf(sdkHost, 'orders_per_second', '&subject=service:checkout,payment=card');
      expect(orders.length, 'rates of the SDK').toBeGreaterThan(3);
      expect(Math.min(...orders), 'lowest rate of the SDK').toBeGreaterThan(0);
      expect(Math.max(...orders), 'highest rate of the SDK').toBeLessThan(
        ORDERS_PER_SECOND * (1 + TOLERANCE),
      );
      expect(events.events.map(({ event, data }) => ({ event, data }))).toEqual([]);
    },
  };
}

function expectNear(values: readonly number[], wanted: number, what: string): void {
  expect(values.length, `rates of ${what}`).toBeGreaterThan(3);
  const false_ = values.filter((value) => Math.abs(value - wanted) > wanted * TOLERANCE);
  expect(false_, `rates of ${what} that are not ${wanted}`).toEqual([]);
}
