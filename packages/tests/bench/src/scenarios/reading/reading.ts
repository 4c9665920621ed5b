import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Product } from '@tidewatch/harness/product';
import { type Api, createApi } from '../../api.ts';
import { withAdmin } from '../../database.ts';
import { summarise } from '../../measure/percentile.ts';
import { productPid } from '../../measure/product-process.ts';
import { figureTable, number, type Row } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { fillReading, MINUTES, type ReadingSize } from './reading-fill.ts';

interface ReadingTiming {
  name: string;
  /** Percentiles of the time of a request over HTTP, ms; one request runs at a time. */
  p50: number;
  max: number;
}

interface ExportFigures {
  name: string;
  seconds: number;
  bytes: number;
  lines: number;
  /** The resident bytes of the product's process before the reads, and the max during them. */
  before: number;
  most: number;
}

type ReadingResult = Awaited<ReturnType<typeof runReading>>;

const FULL_SIZE: ReadingSize = { hosts: 10_000, alerts: 100_000, metrics: 111 };

const ROUNDS = 20;
/** The number of bytes that a slow client reads at a time. */
const SIP_BYTES = 262_144;
const REST_MS = 100;

export const reading: Scenario = {
  measures: `10,000 hosts (--hosts) with 111 series each and 100,000 alerts, written straight into the database: lists of metrics and
lists as of a time, queries over all hosts, and exports with the memory that they take`,
  options: ['hosts'],
  limits: { hosts: { default: FULL_SIZE.hosts, min: 100, max: 20_000 } },
  async run(product, { hosts }, print) {
    const figures = await runReading(product, { ...FULL_SIZE, hosts });
    print(readingTable(figures));
    return { valid: true, figures };
  },
};

/** Writes hosts, metrics, an hour of rollups and alerts directly into the database, then measures reading them. */
async function runReading(product: Product, size: ReadingSize) {
  const api = createApi(product.url, product.key);
  const began = performance.now();
  const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  await withAdmin(product.dataDir, (sql) => fillReading(sql, size, to));
  const filledSeconds = (performance.now() - began) / 1_000;
  const timings = await timeAll(api, to);
  const exports: ExportFigures[] = [];
  for (const [name, query, pause] of [
    ['CSV', 'format=csv', 0],
    ['NDJSON', 'format=ndjson', 0],
    ['NDJSON, slow reader', 'format=ndjson', REST_MS],
  ] as const)
    exports.push({ name, ...(await readExport(product, `/alerts?status=all&${query}`, pause)) });
  return { filledSeconds, series: size.hosts * size.metrics, timings, exports };
}

async function timeAll(api: Api, to: number): Promise<ReadingTiming[]> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const query = (body: object) => () =>
    api.post(
      '/query',
      { metric: 'cpu_percent', from: iso(to - MINUTES * MINUTE_MS), to: iso(to), step: 60, ...body },
      200,
    );
  const list = (path: string) => () => api.get(path);
  const asOf = iso(Date.now());
  const questions: [name: string, ask: () => Promise<unknown>][] = [
    ['metrics', list('/metrics?limit=100')],
    ['metrics by services', list('/metrics?limit=100&sort=-services')],
    ['alerts as of now', list(`/alerts?status=all&limit=100&as_of=${asOf}`)],
    ['services as of now', list(`/services?limit=100&as_of=${asOf}`)],
    ['alerts by creation', list('/alerts?status=all&limit=100&sort=created_at')],
    ['services by the time of their status', list('/services?limit=100&sort=-status_since')],
    ['mean of all hosts, an hour by minutes', query({})],
    ['p95 of all hosts', query({ aggregate: 'p95' })],
    ['by region', query({ group_by: 'region' })],
    ['the five busiest hosts', query({ top: 5 })],
  ];
  const timings: ReadingTiming[] = [];
  for (const [name, ask] of questions) {
    const took: number[] = [];
    const rounds = name.includes('host') || name === 'by region' ? ROUNDS / 4 : ROUNDS;
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      await ask();
      took.push(performance.now() - start);
    }
    const { p50, max } = summarise(took);
    timings.push({ name, p50, max });
  }
  return timings;
}

async function readExport(
  product: Product,
  path: string,
  pauseMs: number,
): Promise<Omit<ExportFigures, 'name'>> {
  const before = residentBytes(product);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(product));
  }, 100);
  const start = performance.now();
  let [bytes, lines, sip] = [0, 0, 0];
  try {
    const response = await open(product, path);
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      sip += piece.length;
      for (const byte of piece) if (byte === 10) lines += 1;
      if (pauseMs === 0 || sip < SIP_BYTES) continue;
      sip = 0;
      await sleep(pauseMs);
    }
  } finally {
    clearInterval(watch);
  }
  return { seconds: (performance.now() - start) / 1_000, bytes, lines, before, most };
}

function open(product: Product, path: string): Promise<AsyncIterable<Buffer>> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': product.key };
    const request = get(`${product.url}/api/v1${path}`, { headers }, (response) => {
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`GET ${path}: ${response.statusCode}`));
    });
    request.on('error', reject);
  });
}

/** Resident memory of the product's process, bytes; PostgreSQL's processes do not count. */
function residentBytes(product: Product): number {
  const pid = productPid(product);
  if (pid === undefined) throw new Error('the product has ended');
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
}

const MIB = 1_048_576;

function readingTable({ filledSeconds, series, timings, exports }: ReadingResult): string {
  return figureTable([
    ['series written', `${number(series)} in ${number(filledSeconds, 0)} s`],
    ...timings.map(({ name, p50, max }): Row => [name, `${number(p50, 1)} ms, at most ${number(max, 1)}`]),
    ...exports.map(
      ({ name, seconds, bytes, lines, before, most }): Row => [
        `alerts as ${name}`,
        `${number(lines)} lines, ${number(bytes / MIB, 1)} MiB in ${number(seconds, 1)} s; resident ${number(before / MIB, 0)} MiB before, ${number(most / MIB, 0)} at most`,
      ],
    ),
  ]);
}
