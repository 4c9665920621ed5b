import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { descendants } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { type Api, createApi } from '../api.ts';
import { withAdmin } from '../database.ts';
import { summarise } from '../measure/percentile.ts';
import { figureTable, number, type Row } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

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

/** The amount of data in the product. */
interface ReadingSize {
  hosts: number;
  alerts: number;
  /** The number of metrics of each host: a multiple of sixteen less one. */
  metrics: number;
}

const FULL_SIZE: ReadingSize = { hosts: 10_000, alerts: 100_000, metrics: 111 };

const MINUTES = 60;
const ROUNDS = 20;
/** The number of bytes that a slow client reads at a time. */
const SIP_BYTES = 262_144;
const REST_MS = 100;

export const reading: Scenario = {
  measures: `10,000 hosts with 1,110,000 series and 100,000 alerts, written straight into the database: lists of metrics and
lists as of a time, queries over all hosts, and exports with the memory that they take`,
  options: [],
  async run(product, _options, print) {
    const figures = await runReading(product);
    print(readingTable(figures));
    return { valid: true, figures };
  },
};

/** Writes hosts, metrics, an hour of rollups and alerts directly into the database, then measures reading them. */
async function runReading(product: Product, size = FULL_SIZE) {
  const api = createApi(product.url, product.key);
  const began = performance.now();
  const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  await withAdmin(product.dataDir, (sql) => fill(sql, size, to));
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
  const before = residentBytes(product.pid());
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(product.pid()));
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

/** Resident memory of the largest Tidewatch process in the tree, bytes; PostgreSQL's processes do not count. */
function residentBytes(root: number): number {
  const sizes = descendants(root).map(({ pid }) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts')) return 0;
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...sizes);
}

async function fill(sql: Sql, { hosts, alerts, metrics }: ReadingSize, to: number): Promise<void> {
  const [organization] = await sql<{ id: string }[]>`select id from organizations limit 1`;
  const org = organization?.id ?? '';
  await sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
    select ${org}, 'svc_' || lpad(to_hex(n), 32, '0'), 'read-' || lpad(n::text, 5, '0'),
      jsonb_build_object('region', 'eu-' || n % 7), now(), date_trunc('milliseconds', now())
    from generate_series(1, ${hosts}::int) n`;
  await sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    select organization_id, id, 'host', host, o,
      array(select case when i = 0 and o = 0 then 'cpu_percent' else 'metric_' || o * 16 + i end
        from generate_series(0, least(15, ${metrics}::int - 1 - o * 16)) i)
    from services, generate_series(0, (${metrics}::int - 1) / 16) o where host like 'read-%' order by host, o`;
  await sql`insert into rollup_1m (bucket, block_id, sum0, cnt0, min0, max0)
    select ${to}::timestamptz - n * interval '1 minute', b.id, v, 1, v, v
    from generate_series(1, ${MINUTES}::int) n
    cross join (select id from blocks where ordinal = 0 and subject_name like 'read-%') b
    cross join lateral (select (hashint8(b.id::int8 * 1009 + n) & 1023) / 10.23::float8 as v) x`;
  await sql`insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, threshold, value, value_at_fire, peak_value, summary, pending_since,
      fired_at, created_at, updated_at, context)
    select ${org}, 'alr_' || lpad(to_hex(n), 32, '0'), 'rul_' || lpad('1', 32, '0'), 'CPU is busy', 1,
      'svc_' || lpad(to_hex(1 + n % ${hosts}::int), 32, '0'), 'read-' || lpad((1 + n % ${hosts}::int)::text, 5, '0'), 'host',
      'read-' || lpad((1 + n % ${hosts}::int)::text, 5, '0'), (array['active', 'resolved'])[1 + n % 2],
      (array['firing', 'resolved'])[1 + n % 2], 'warning', 'cpu_percent', 'greater_than', 90, 93.5, 93.5, 99.1,
      'cpu_percent is 93.5, above 90.', t, t, t, t,
      '{"processes": [{"name": "java", "pid": 1, "cpu_percent": 90, "memory_rss": 1}], "containers": []}'
    from generate_series(1, ${alerts}::int) n
    cross join lateral (select ${to}::timestamptz - (n % ${DAY_MS / 1_000}) * interval '1 s' as t) x`;
  await sql`analyze services, service_names, blocks, rollup_1m, alerts, metric_counts`;
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
