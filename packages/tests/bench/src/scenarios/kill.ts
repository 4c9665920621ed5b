import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { createApi } from '../api.ts';
import { openAdmin, settle } from '../database.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { type AlertReport, areAlertsRight, compareAlerts } from '../ledger/compare-alerts.ts';
import { recountRollups, recountRows } from '../ledger/recount.ts';
import { startGenerator } from '../load/start-generator.ts';
import { createRules } from '../rules.ts';
import { replayPlan } from './replay.ts';

export interface KillRound {
  payloads: number;
  restartSeconds: number;
  report: LedgerReport;
  rollupDifferences: string[];
  /** Null where a request's outcome stayed unknown, so that rollups and alerts could not be compared. */
  alerts: AlertReport | null;
}

/** Longer than a round takes with its pause and restart, at the greatest rate that a plan is made for. */
const SECONDS_PER_ROUND = 6;

/**
 * Kills every process of the product at a random moment of a replay, starts it again and compares rows, rollups
 * and alerts with the ledger; as often as asked, on the same data, each round with a replay of its own hosts' next part.
 */
export async function runKills(
  product: Product,
  rounds: number,
  random: () => number,
  say: (round: KillRound) => void,
): Promise<boolean> {
  const api = createApi(product.url, product.key);
  const rules = await createRules(api);
  const plan = replayPlan('replay', rounds * SECONDS_PER_ROUND, null, Date.now());
  const generating = startGenerator({
    plan,
    url: product.url,
    key: product.key,
    seconds: null,
    rate: null,
    warmUpTicks: 0,
  });
  let ended = false;
  generating.result.finally(() => (ended = true)).catch(() => {});
  let intact = true;
  const restarts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500 + random() * 4_000);
    if (ended) throw new Error(`the load ended before kill ${round + 1} of ${rounds}`);
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
    await settle(admin.sql, Date.now(), () => ({ total: cpuSeconds(product.pid()) }));
    const report = await recountRows(admin.sql, plan, ledger);
    const whole = ledger.sent.every((sent, index) => sent === ledger.acknowledged[index]);
    const rollupDifferences = whole ? await recountRollups(api, plan, ledger) : [];
    const alerts = whole ? await compareAlerts(admin.sql, plan, ledger, rules) : null;
    const payloads = ledger.acknowledged.reduce((sum, count) => sum + count, 0);
    const result = { payloads, restartSeconds: Math.max(...restarts), report, rollupDifferences, alerts };
    say(result);
    intact = isIntact(report) && rollupDifferences.length === 0 && alerts !== null && areAlertsRight(alerts);
  } finally {
    await admin.close();
  }
  return intact;
}
