import { watchPeaks } from '@tidewatch/testkit/process-tree';
import type { Product } from '@tidewatch/testkit/product';
import { type Api, createApi } from '../api.ts';
import { summarise } from '../measure/percentile.ts';

export interface ListTiming {
  path: string;
  /** Milliseconds over HTTP, one request at a time. */
  p50: number;
  p99: number;
  total: number | null;
}

const SERVICES = 10_000;
const RULES = 10;
const BATCH = 500;

/** 10,000 services, 100,000 alerts (half of them resolved) and a day of one service's samples. */
async function fill(api: Api): Promise<string> {
  for (let index = 0; index < RULES; index += 1) {
    await api.post('/alerts/rules', {
      name: `list rule ${index}`,
      metric: `list_${index}`,
      condition: 'greater_than',
      threshold: 50,
      duration_minutes: 0,
      severity: ['critical', 'warning', 'info'][index % 3],
      channels: [],
    });
  }
  for (const [round, breaching] of [RULES, RULES / 2].entries()) {
    const time = new Date(Date.now() - 60_000 + round * 10_000).toISOString();
    for (let from = 0; from < SERVICES; from += BATCH) {
      const payloads = Array.from({ length: BATCH }, (_, offset) => ({
        host: `list-${String(from + offset).padStart(5, '0')}`,
        timestamp: time,
        tags: { region: `eu-${(from + offset) % 7}` },
        metrics: Object.fromEntries(
          Array.from({ length: RULES }, (_, index) => [`list_${index}`, index < breaching ? 90 : 10]),
        ),
      }));
      await api.post('/ingest', payloads, 200);
    }
  }
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
  return (await api.get<{ services: { id: string }[] }>('/services?q=list-day')).services[0]?.id ?? '';
}

/** Fills a product through its own API and times the lists one request after the other. */
export async function runLists(
  product: Product,
): Promise<{ timings: ListTiming[]; peaks: Map<string, number> }> {
  const api = createApi(product.url, product.key);
  const peaks = watchPeaks(product.pid);
  const day = await fill(api);
  const now = Date.now();
  const range = `from=${new Date(now - 86_400_000).toISOString()}&to=${new Date(now).toISOString()}`;
  const service = (await api.get<{ services: { id: string }[] }>('/services?limit=1')).services[0]?.id;
  const rule = (await api.get<{ rules: { id: string }[] }>('/alerts/rules?limit=1')).rules[0]?.id;
  const recent = new Date(now - 600_000).toISOString();
  const paths = [
    '/services',
    '/services?limit=100&offset=9900',
    '/services?status=critical',
    '/services?q=list-09',
    '/services?tag=region:eu-3',
    '/services?group_by=region',
    '/alerts',
    '/alerts?status=all',
    '/alerts?status=all&limit=100&offset=99900',
    '/alerts?status=resolved',
    '/alerts?severity=critical',
    '/alerts?status=all&severity=info',
    `/alerts?status=all&service_id=${service}`,
    `/alerts?status=all&rule_id=${rule}`,
    '/alerts?status=all&host=list-00042',
    '/alerts?status=all&acknowledged=false',
    `/alerts?status=all&from=${recent}`,
    '/alerts/rules',
    `/services/${service}`,
    `/services/${day}/metrics?${range}&step=60`,
    `/services/${day}/metrics?${range}&step=300`,
  ];
  const timings: ListTiming[] = [];
  for (const path of paths) timings.push(await time(api, path));
  peaks.stop();
  return { timings, peaks: peaks.peaks() };
}

async function time(api: Api, path: string): Promise<ListTiming> {
  const took: number[] = [];
  let total: number | null = null;
  for (let round = 0; round < 220; round += 1) {
    const before = performance.now();
    const answer = await api.get<{ pagination?: { total: number } }>(path);
    if (round >= 20) took.push(performance.now() - before); // the first ones warm caches
    total = answer.pagination?.total ?? null;
  }
  const { p50, p99 } = summarise(took);
  return { path, p50, p99, total };
}
