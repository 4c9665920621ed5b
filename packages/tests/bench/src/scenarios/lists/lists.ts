import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@tidewatch/database/connection';
import { cpuSeconds, watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { type Api, createApi, createRule, ingestAll, untilTrue } from '../../api.ts';
import { settle, withAdmin } from '../../database.ts';
import { openQuietReader } from '../../measure/quiet-reader.ts';
import { figureTable, number, peakRows, type Row } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { sealStorage } from '../../sealing/seal-storage.ts';
import { alertPaths, RULES, servicePaths, totalAt } from './list-paths.ts';
import { timeInTurns } from './list-turns.ts';

type ListResult = Awaited<ReturnType<typeof runLists>>;

/** The number of services whose alerts are all investigated before lists are timed; of more, only those that have begun are. */
const MAX_INVESTIGATED = 1_000;
/** The number of rules whose alerts stay active; alerts of the other rules resolve. */
const BREACHING = RULES / 2;
const BATCH = 500;
/** For so long the product works on a report of all hosts before lists are asked beside that work, ms. */
const BESIDE_WORK_AFTER_MS = 15_000;
/** The max time until the hosts' last payloads have been evaluated, ms. */
const EVALUATED_WITHIN_MS = 10 * 60_000;
/** The max time until all investigations of the filled database have ended, ms; each host with an alert causes one. */
const INVESTIGATED_WITHIN_MS = 45 * 60_000;
/** The investigator reads alerts in groups: after this time without an investigation it has read all of them, ms. */
const NONE_FOLLOWS_MS = 10_000;
/** The max time until the product has nothing left to do for what filled it, ms. */
const SETTLED_WITHIN_MS = 15 * 60_000;
/** The product rests once it has taken less than this share of a processor for so long, ms. */
const RESTING_SHARE = 0.2;
const RESTING_FOR_MS = 3_000;
/** The max time until the product rests after a report of all hosts, ms; after that hosts could go offline while lists are timed. */
const RESTS_WITHIN_MS = 60_000;

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
  measures: `10,000 services (--hosts) with ten alerts each: how long lists and a day's chart take beside the work that reports
of all hosts cause, and at rest`,
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
  const reported = () => report(api, services, Date.now(), BREACHING);
  const timings = await timeInTurns(reader, paths, async () => {
    await reported();
    await sleep(BESIDE_WORK_AFTER_MS);
  });
  const timingsAtRest = await timeInTurns(reader, paths, async () => {
    await reported();
    await sealStorage({ dataDir: product.dataDir });
    await untilAtRest(product);
  });
  reader.close();
  peaks.stop();
  return { timings, timingsAtRest, investigatedSeconds, peaks: peaks.peaks() };
}

/** Waits until the product and its database have nothing to do but what they do at rest, at most for a minute. */
async function untilAtRest(product: Product): Promise<void> {
  for (const until = performance.now() + RESTS_WITHIN_MS; performance.now() < until; ) {
    const before = cpuSeconds(product.pid());
    await sleep(RESTING_FOR_MS);
    if ((cpuSeconds(product.pid()) - before) / (RESTING_FOR_MS / 1_000) < RESTING_SHARE) return;
  }
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

function listTable({ timings, timingsAtRest, investigatedSeconds, peaks }: ListResult): string {
  const rows = timings.map(({ path, p50, p99, total }, index): Row => {
    const shown = path
      .replace(/(svc|rul)_[0-9a-f]+/g, '$1_…')
      .replace(/cursor=[^&]+/, 'cursor=…')
      .replace(/\d{4}-\d\d-(\d\dT[\d:.]+)Z/g, '$1');
    const rest = timingsAtRest[index];
    const atRest = rest === undefined ? '' : `, at rest ${number(rest.p50, 1)} / ${number(rest.p99, 1)}`;
    return [
      shown,
      `${number(p50, 1)} / ${number(p99, 1)}${atRest} ms${total === null ? '' : `, total ${number(total)}`}`,
    ];
  });
  const waited: Row = [
    'investigations ended, after the last alert was stored',
    `${number(investigatedSeconds, 0)} s`,
  ];
  return figureTable([...rows, waited, ...peakRows(peaks)]);
}
