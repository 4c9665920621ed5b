import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@tidewatch/testkit/product';
import { createApi } from '../api.ts';
import { openAdmin, settle } from '../database.ts';
import { alertLine, expectedAlerts } from '../ledger/alerts.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { recountRollups, recountRows } from '../ledger/recount.ts';
import { startGenerator } from '../load/start-generator.ts';
import { type BenchRule, createRules } from '../rules.ts';
import { replayPlan } from './replay.ts';

export interface KillRound {
  payloads: number;
  restartSeconds: number;
  report: LedgerReport;
  rollupDifferences: string[];
  alerts: { expected: number; missing: string[]; unexpected: string[] };
}

/**
 * Kills every process of the product at a random moment of a replay, starts it again and compares rows, rollups
 * and alerts with the ledger; as often as asked, on the same data, each round with a replay of its own hosts' next part.
 */
export async function runKills(
  product: Product,
  rounds: number,
  samples: number,
  random: () => number,
  say: (round: KillRound) => void,
): Promise<boolean> {
  const api = createApi(product.url, product.key);
  const rules = await createRules(api);
  const plan = replayPlan('replay', samples, Date.now());
  const generating = startGenerator({ plan, url: product.url, key: product.key });
  let intact = true;
  const restarts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500 + random() * 4_000);
    await product.kill();
    const before = performance.now();
    await product.start();
    restarts.push((performance.now() - before) / 1000);
  }
  await sleep(1_000);
  generating.stop();
  const { ledger } = await generating.result;
  const admin = openAdmin(product.dataDir);
  try {
    await settle(admin.sql);
    const report = await recountRows(admin.sql, plan, ledger);
    const whole = ledger.sent.every((sent, index) => sent === ledger.acknowledged[index]);
    const rollupDifferences = whole ? await recountRollups(api, plan, ledger) : [];
    const alerts = await compareAlerts(admin.sql, expectedAlerts(plan, ledger, rules), rules);
    const payloads = ledger.acknowledged.reduce((sum, count) => sum + count, 0);
    const result = { payloads, restartSeconds: Math.max(...restarts), report, rollupDifferences, alerts };
    say(result);
    intact =
      isIntact(report) &&
      rollupDifferences.length === 0 &&
      (!whole || alerts.missing.length + alerts.unexpected.length === 0);
  } finally {
    await admin.close();
  }
  return intact;
}

async function compareAlerts(
  sql: ReturnType<typeof openAdmin>['sql'],
  expected: Set<string>,
  rules: readonly BenchRule[],
) {
  const rows = await sql<{ rule_id: string; host: string; fired_at: number; resolved_at: number | null }[]>`
    select rule_id, host, fired_at, resolved_at from alerts where host like 'bench-%' and rule_id in ${sql(rules.map((rule) => rule.id))}`;
  const found = rows.map((row) => alertLine(row.rule_id, row.host, row.fired_at, row.resolved_at));
  const counts = new Map<string, number>();
  for (const line of found) counts.set(line, (counts.get(line) ?? 0) + 1);
  const unexpected = [...counts]
    .filter(([line, count]) => !expected.has(line) || count > 1)
    .map(([line]) => line);
  const missing = [...expected].filter((line) => !counts.has(line));
  return { expected: expected.size, missing, unexpected };
}
