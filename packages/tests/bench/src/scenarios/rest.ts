import { setTimeout as sleep } from 'node:timers/promises';
import { cpuByName } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { createApi, ingestAll } from '../api.ts';
import { settle } from '../database.ts';
import { metricName } from '../load/plan.ts';
import { figureTable, number, type Row } from '../report/table.ts';
import { createRules } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const METRICS = 10;
/** Payloads of each host before the rest, ten seconds apart. */
const TICKS = 30;
const STEP_MS = 10_000;

export const rest: Scenario = {
  measures: `the processor time of a product at rest, for --seconds: 100 rules and --hosts with five minutes of samples, of which no more come`,
  options: ['seconds', 'hosts'],
  limits: { seconds: { min: 10 } },
  topologies: ['embedded', 'distributed'],
  async run(product, { seconds, hosts }, print) {
    const figures = await runRest(product, hosts, seconds);
    print(restTable(figures));
    return { valid: true, figures };
  },
};

async function runRest(product: Product, hosts: number, seconds: number) {
  const api = createApi(product.url, product.key);
  await createRules(api);
  const start = Date.now() - TICKS * STEP_MS;
  for (let tick = 0; tick < TICKS; tick += 1) {
    const timestamp = new Date(start + tick * STEP_MS).toISOString();
    const payloads = Array.from({ length: hosts }, (_, host) => ({
      host: `rest-${host}`,
      timestamp,
      metrics: Object.fromEntries(
        Array.from({ length: METRICS }, (_, metric) => [metricName(metric), (tick * 7 + metric + host) % 50]),
      ),
    }));
    await ingestAll(api, payloads);
  }
  await settle(product.dataDir, Date.now(), () => ({ total: 0 }));
  const before = cpuByName(product.pid());
  const began = performance.now();
  await sleep(seconds * 1_000);
  const passed = (performance.now() - began) / 1_000;
  const shares = [...cpuByName(product.pid())]
    .map(([name, used]): [name: string, share: number] => [name, (used - (before.get(name) ?? 0)) / passed])
    .toSorted((a, b) => b[1] - a[1]);
  return { hosts, seconds: passed, all: shares.reduce((sum, [, share]) => sum + share, 0), shares };
}

/** Shares of one processor below this are not shown. */
const MIN_SHOWN = 0.0005;

function restTable({ hosts, seconds, all, shares }: Awaited<ReturnType<typeof runRest>>): string {
  const percent = (share: number) => `${number(share * 100, 2)} % of one processor`;
  return figureTable([
    ['hosts, seconds', `${number(hosts)}, ${number(seconds, 0)}`],
    ['all processes', percent(all)],
    ...shares.filter(([, share]) => share >= MIN_SHOWN).map(([name, share]): Row => [name, percent(share)]),
  ]);
}
