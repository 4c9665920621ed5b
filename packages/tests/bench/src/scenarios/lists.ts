import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@tidewatch/database/connection';
import { cpuSeconds, watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { type Api, createApi, createRule, ingestAll, untilTrue } from '../api.ts';
import { settle, withAdmin } from '../database.ts';
import { summarise } from '../measure/percentile.ts';
import { openQuietReader, type QuietAnswer, type QuietReader } from '../measure/quiet-reader.ts';
import { figureTable, number, peakRows, type Row } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

interface ListTiming {
  path: string;
  /** Percentiles of the time of a request over HTTP, ms; one request runs at a time. */
  p50: number;
  p99: number;
  total: number | null;
}

type ListResult = Awaited<ReturnType<typeof runLists>>;

/** The number of services whose alerts are all investigated before lists are timed; of more, only those that have begun are. */
const MAX_INVESTIGATED = 1_000;
const RULES = 10;
/** The number of rules whose alerts stay active; alerts of the other rules resolve. */
const BREACHING = RULES / 2;
const BATCH = 500;
/** The number of turns in which every path is measured, so that a slow moment of the machine affects all paths alike. */
const TURNS = 20;
/** The number of timed requests in a turn, after `WARM_UP` requests that warm the caches. */
const REQUESTS = 25;
const WARM_UP = 3;
/** After this time a turn requests a path no more, ms. */
const MAX_TURN_MS = 2_000;
/** After this number of turns the hosts report, lest they go offline; a pause then lets the product finish the resulting work. */
const REPORTS_EVERY = 5;
const REST_MS = 15_000;
/** The max time until the hosts' last payloads have been evaluated, ms. */
const EVALUATED_WITHIN_MS = 10 * 60_000;
/** The max time until all investigations of the filled database have ended, ms; each host with an alert causes one. */
const INVESTIGATED_WITHIN_MS = 45 * 60_000;
/** The investigator reads alerts in groups: after this time without an investigation it has read all of them, ms. */
const NONE_FOLLOWS_MS = 10_000;
/** The max time until the product has nothing left to do for what filled it, ms. */
const SETTLED_WITHIN_MS = 15 * 60_000;

/** Creates services with ten alerts each, half of them resolved, and a day of samples of one more service. */
async function fill(api: Api, services: number): Promise<string> {
  for (let index = 0; index < RULES; index += 1) {
    const more = { name: `list rule ${index}`, severity: ['critical', 'warning', 'info'][index % 3] };
    await createRule(api, `list_${index}`, 50, more);
  }
  const began = Date.now() - 60_000;
  await report(api, services, began, RULES);
  await report(api, services, began + 10_000, BREACHING);
  const end = Math.floor(Date.now() / 10_000) * 10_000;
  for (let tick = 8_640; tick > 0; tick -= 960) {
    const payloads = Array.from({ length: 960 }, (_, offset) => ({
      host: 'list-day',
      timestamp: new Date(end - (tick - offset) * 10_000).toISOString(),
      metrics: Object.fromEntries(
        Array.from({ length: 10 }, (_, index) => [`day_${index}`, (tick + offset * 7 + index) % 100]),
      ),
    }));
    await api.post('/ingest', payloads, 200);
  }
  await untilTrue(
    async () =>
      (await totalAt(api, '/alerts?limit=1')) === services * BREACHING &&
      (await totalAt(api, '/alerts?status=all&limit=1')) === services * RULES,
    EVALUATED_WITHIN_MS,
    1_000,
    'not every host has its alerts',
  );
  return (await api.get<{ services: { id: string }[] }>('/services?q=list-day')).services[0]?.id ?? '';
}

async function totalAt(api: Api, path: string): Promise<number> {
  return (await api.get<Page>(path)).pagination.total;
}

/** Sends a payload of each service with the first `breaching` of its metrics above their thresholds; `at` in ms. */
async function report(api: Api, services: number, at: number, breaching: number): Promise<void> {
  const values = Array.from({ length: RULES }, (_, index) => [`list_${index}`, index < breaching ? 90 : 10]);
  const payloads = Array.from({ length: services }, (_, index) => ({
    host: `list-${String(index).padStart(5, '0')}`,
    timestamp: new Date(at).toISOString(),
    tags: { region: `eu-${index % 7}`, fleet: 'bench' },
    metrics: Object.fromEntries(values),
  }));
  await ingestAll(api, payloads, BATCH);
}

export const lists: Scenario = {
  measures: "10,000 services (--hosts) with ten alerts each: how long lists and a day's chart take",
  options: ['hosts'],
  limits: { hosts: { default: 10_000, min: 1_000, max: 100_000 } },
  // A fleet of 100,000 has more series and alert instances than an organization may have by default.
  settings: { TIDEWATCH_ALERT_INSTANCES_LIMIT: '1000000', TIDEWATCH_SERIES_LIMIT: '1100000' },
  async run(product, { hosts }, print) {
    const result = await runLists(product, hosts);
    print(listTable(result));
    return { valid: true, figures: { ...result, peaks: Object.fromEntries(result.peaks) } };
  },
};

/** Fills a product through its own API, then measures requests of lists one after the other. */
async function runLists(product: Product, services: number) {
  const api = createApi(product.url, product.key);
  const peaks = watchPeaks(product.pid);
  const day = await fill(api, services);
  const now = Date.now();
  const range = `from=${new Date(now - 86_400_000).toISOString()}&to=${new Date(now).toISOString()}`;
  const service = (await api.get<{ services: { id: string }[] }>('/services?limit=1')).services[0]?.id;
  const rule = (await api.get<{ rules: { id: string }[] }>('/alerts/rules?limit=1')).rules[0]?.id;
  const paths = [
    ...(await servicePaths(api, services)),
    ...(await alertPaths(api, services, now, service, rule)),
    '/alerts/rules',
    `/services/${service}`,
    `/services/${day}/metrics?metrics=day_0,day_1,day_2&${range}&step=60`,
    `/services/${day}/metrics?${range}&step=60`,
    `/services/${day}/metrics?${range}&step=300`,
  ];
  // Waits for the end of all work that the fill caused (investigations, flushes, rollups, vacuum), since only the amount of
  // data is to matter.
  const investigatedSeconds = await withAdmin(product.dataDir, async (sql) => {
    const seconds = await investigated(sql, services <= MAX_INVESTIGATED);
    await report(api, services, Date.now(), BREACHING); // or all would be offline by now
    // Autovacuum does the same, but it pauses so often that a million alerts take it many minutes.
    await sql`vacuum (analyze)`;
    await settle(
      product.dataDir,
      Date.now() + 60_000,
      () => ({ total: cpuSeconds(product.pid()) }),
      SETTLED_WITHIN_MS,
    );
    return seconds;
  });
  const reader = openQuietReader(product.url, product.key);
  const timings = await timeInTurns(reader, paths, () => report(api, services, Date.now(), BREACHING));
  reader.close();
  peaks.stop();
  return { timings, investigatedSeconds, peaks: peaks.peaks() };
}

/** Waits until no investigation is queued, runs or follows; returns the seconds until the last one ended. Without `all`, those that wait are deleted. */
async function investigated(sql: Sql, all: boolean): Promise<number> {
  const began = performance.now();
  const since = () => performance.now() - began;
  for (let quietSince = began; since() < INVESTIGATED_WITHIN_MS; await sleep(1_000)) {
    if (!all) await sql`delete from investigations where status = 'queued'`;
    const open = await sql`select from investigations where status in ('queued', 'running') limit 1`;
    if (open.length > 0) quietSince = performance.now();
    else if (performance.now() - quietSince >= NONE_FOLLOWS_MS) return (quietSince - began) / 1000;
  }
  throw new Error('investigations were still running');
}

/**
 * Returns paths of the list of services with every filter and combinations of filters, at the start, middle and end of
 * the list.
 */
async function servicePaths(api: Api, services: number): Promise<string[]> {
  const last = services - 100;
  const queries = [
    ...[
      '',
      `limit=100&offset=${last}`,
      `limit=100&offset=${services / 2}`,
      'status=critical',
      'status=healthy',
    ],
    ...[`status=critical&limit=100&offset=${last}`, 'status=archived', 'q=list-09', 'q=LIST', 'q=none'],
    ...['tag=region:eu-3', 'tag=fleet:bench', 'tag=region:eu-3&tag=fleet:bench', 'tag=region:nowhere'],
    ...[`tag=region:eu-3&limit=100&offset=${Math.floor(services * 0.13)}`, 'status=critical&tag=region:eu-3'],
    ...['q=list-09&tag=region:eu-3', 'status=critical&q=list-09'],
    ...['group_by=region', 'group_by=region&status=critical', 'group_by=region&q=list-09'],
    ...(await cursors(api, '/services?')),
    ...(await cursors(api, '/services?tag=fleet:bench&')),
  ];
  return queries.map((query) => `/services?${query}`);
}

/**
 * Returns paths of the list of alerts with every filter, combinations and time windows, at the start, middle and end of
 * the list.
 */
async function alertPaths(
  api: Api,
  services: number,
  now: number,
  service = '',
  rule = '',
): Promise<string[]> {
  const alerts = services * RULES;
  const iso = (ms: number) => new Date(ms).toISOString();
  const [newest] = (await api.get<{ alerts: { fired_at: string }[] }>('/alerts?status=all&limit=1')).alerts;
  const fired = Date.parse(newest?.fired_at ?? '');
  const byRule = `status=all&rule_id=${rule}`;
  const queries = [
    ...[
      '',
      'status=all',
      'status=resolved',
      'severity=critical',
      'severity=info',
      'status=all&severity=info',
    ],
    ...[alerts - 100, alerts / 2].map((offset) => `status=all&limit=100&offset=${offset}`),
    `limit=100&offset=${alerts / 2 - 100}`,
    ...['acknowledged=true', 'acknowledged=false'],
    ...['status=all&acknowledged=true', 'status=all&acknowledged=false'],
    ...[`rule_id=${rule}`, byRule, `${byRule}&limit=100&offset=${services - 100}`],
    ...[`service_id=${service}`, `status=all&service_id=${service}`],
    ...['host=list-00042', 'status=all&host=list-00042'],
    ...[`status=all&from=${iso(now - 7 * 86_400_000)}`, `status=all&from=${iso(fired - 600_000)}`],
    ...[`status=all&from=${iso(fired)}`, `status=all&to=${iso(fired)}`, `status=all&to=${iso(fired + 1)}`],
    `status=all&from=${iso(fired - 3_600_000)}&to=${iso(fired + 3_600_000)}`,
    `severity=critical&acknowledged=false&from=${iso(fired - 600_000)}&to=${iso(now)}`,
    ...[`${byRule}&from=${iso(fired - 600_000)}`, `${byRule}&severity=info`],
    ...['sort=-severity', 'status=all&sort=severity', `${byRule}&sort=-severity`],
    ...['sort=-created_at', `${byRule}&sort=created_at`, `status=all&to=${iso(fired + 1)}&sort=-created_at`],
    ...(await cursors(api, '/alerts?status=all&')),
    ...(await cursors(api, '/alerts?severity=critical&')),
  ];
  return queries.map((query) => `/alerts?${query}`);
}

/** The query strings of the second page and of one near the end of a list, by cursor. */
async function cursors(api: Api, path: string): Promise<string[]> {
  const filters = path.slice(path.indexOf('?') + 1);
  const total = await totalAt(api, `${path}limit=1`);
  const found: string[] = [];
  for (const offset of [0, Math.max(0, total - 300)]) {
    const page = await api.get<Page>(`${path}limit=100&offset=${offset}`);
    found.push(`${filters}limit=100&cursor=${encodeURIComponent(page.pagination.next_cursor ?? '')}`);
  }
  return found;
}

interface Page {
  pagination: { total: number; next_cursor: string | null };
}

/** Milliseconds from sending until the last byte; what the client makes of the answer is its own affair. Hosts `report` between turns. */
async function timeInTurns(
  reader: QuietReader,
  paths: readonly string[],
  report: () => Promise<void>,
): Promise<ListTiming[]> {
  const lists = paths.map((path) => ({ path, took: [] as number[], total: null as number | null }));
  for (const list of lists) list.total = totalOf(await ask(reader, list.path));
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn % REPORTS_EVERY === 0) {
      await report();
      await sleep(REST_MS);
    }
    for (const { path, took } of lists) {
      const until = performance.now() + MAX_TURN_MS;
      for (let request = 0; request < WARM_UP + REQUESTS; request += 1) {
        if (request > WARM_UP && performance.now() > until) break;
        const { ms } = await ask(reader, path);
        if (request >= WARM_UP) took.push(ms);
      }
    }
  }
  return lists.map(({ path, took, total }) => {
    const { p50, p99 } = summarise(took);
    return { path, p50, p99, total };
  });
}

function totalOf(answer: QuietAnswer): number | null {
  return (JSON.parse(answer.text()) as Partial<Page>).pagination?.total ?? null;
}

async function ask(reader: QuietReader, path: string): Promise<QuietAnswer> {
  const answer = await reader.get(`/api/v1${path}`);
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text().slice(0, 500)}`);
  return answer;
}

function listTable({ timings, investigatedSeconds, peaks }: ListResult): string {
  const rows = timings.map(({ path, p50, p99, total }): Row => {
    const shown = path
      .replace(/(svc|rul)_[0-9a-f]+/g, '$1_…')
      .replace(/cursor=[^&]+/, 'cursor=…')
      .replace(/\d{4}-\d\d-(\d\dT[\d:.]+)Z/g, '$1');
    return [
      shown,
      `${number(p50, 1)} / ${number(p99, 1)} ms${total === null ? '' : `, total ${number(total)}`}`,
    ];
  });
  const waited: Row = [
    'investigations ended, after the last alert was stored',
    `${number(investigatedSeconds, 0)} s`,
  ];
  return figureTable([...rows, waited, ...peakRows(peaks)]);
}
