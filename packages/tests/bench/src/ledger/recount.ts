import type { Sql } from '@tidewatch/database/connection';
import type { Api } from '../api.ts';
import { listAll } from '../api.ts';
import { hostName, metricName, type Plan, timeOf } from '../load/plan.ts';
import { createWalk } from '../load/walk.ts';
import { acknowledgedTicks, type BlockMeaning, createLedgerCheck, type LedgerReport } from './check.ts';
import type { Ledger } from './ledger.ts';
import { readStoredRows } from './stored-rows.ts';

/** Reads every stored row of the plan's hosts, in whichever layout it is kept, and compares it with the ledger. */
export async function recountRows(sql: Sql, plan: Plan, ledger: Ledger): Promise<LedgerReport> {
  const blocks = await readBlocks(sql, plan);
  const check = createLedgerCheck(plan, ledger, blocks);
  for await (const row of readStoredRows(sql, plan, [...blocks.keys()])) check.add(row);
  return check.finish();
}

async function readBlocks(sql: Sql, plan: Plan): Promise<Map<number, BlockMeaning>> {
  const indexes = new Map(Array.from({ length: plan.metrics }, (_, index) => [metricName(index), index]));
  const slots = await sql<{ id: number; host: string; slot: number; metric: string }[]>`
    select b.id, v.host, m.place::int - 1 as slot, m.metric from blocks b
    cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    join services v on v.organization_id = b.organization_id and v.id = b.service_id
    where b.subject_kind = 'host' and v.host like 'bench-%'`;
  const blocks = new Map<number, { host: number; metrics: Map<number, number> }>();
  for (const { id, host, slot, metric } of slots) {
    const block = blocks.get(id) ?? {
      host: Number(host.slice('bench-'.length)),
      metrics: new Map<number, number>(),
    };
    blocks.set(id, block);
    const index = indexes.get(metric);
    if (index !== undefined) block.metrics.set(slot, index);
  }
  return blocks;
}

interface Points {
  series: { metric: string; points: { avg: number; min: number; max: number; count: number }[] }[];
}

/**
 * Reads the hourly steps of every host from the API and compares count, mean, min and max with the ledger; returns the
 * differences in words. Only for a ledger without open requests.
 */
export async function recountRollups(api: Api, plan: Plan, ledger: Ledger): Promise<string[]> {
  const services = await listAll<{ id: string; name: string }>(api, '/services?q=bench-', 'services');
  const byName = new Map(services.map((service) => [service.name, service.id]));
  const hour = 3_600_000;
  const from = new Date(Math.floor(plan.startMs / hour) * hour).toISOString();
  const to = new Date(Math.ceil((timeOf(plan, plan.hosts - 1, plan.ticks) + 1) / hour) * hour).toISOString();
  const names = Array.from({ length: plan.metrics }, (_, index) => metricName(index));
  const differences: string[] = [];
  for (let host = 0; host < plan.hosts; host += 1) {
    const ticks = acknowledgedTicks(plan, ledger, host);
    if (ticks === 0) continue;
    const id = byName.get(hostName(host));
    if (id === undefined) {
      differences.push(`${hostName(host)} is not listed`);
      continue;
    }
    const answer = await api.get<Points>(
      `/services/${id}/metrics?metrics=${names.join(',')}&from=${from}&to=${to}&step=3600`,
    );
    const expected = totalsOf(plan, host, ticks);
    for (const [index, name] of names.entries()) {
      const points = answer.series.find((series) => series.metric === name)?.points ?? [];
      const wanted = expected[index] as Totals;
      const count = points.reduce((sum, point) => sum + point.count, 0);
      const total = points.reduce((sum, point) => sum + point.avg * point.count, 0);
      const least = Math.min(...points.map((point) => point.min));
      const most = Math.max(...points.map((point) => point.max));
      const near = Math.abs(total - wanted.sum) <= 1e-9 * Math.abs(wanted.sum) + 1e-6;
      if (count !== wanted.count || !near || least !== wanted.min || most !== wanted.max) {
        differences.push(
          `${hostName(host)} ${name}: ${count} of ${wanted.count}, sum ${total} of ${wanted.sum}`,
        );
      }
    }
  }
  return differences;
}

interface Totals {
  count: number;
  sum: number;
  min: number;
  max: number;
}

function totalsOf(plan: Plan, host: number, ticks: number): Totals[] {
  const walk = createWalk(plan, host);
  const totals = Array.from(
    { length: plan.metrics },
    (): Totals => ({ count: ticks, sum: 0, min: Infinity, max: -Infinity }),
  );
  for (let tick = 0; tick < ticks; tick += 1) {
    walk.next();
    for (const [index, total] of totals.entries()) {
      const value = (walk.values[index] as number) / 100;
      total.sum += value;
      total.min = Math.min(total.min, value);
      total.max = Math.max(total.max, value);
    }
  }
  return totals;
}
