import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { createApi } from '../../api.ts';
import { settle, withAdmin } from '../../database.ts';
import { isIntact } from '../../ledger/check.ts';
import { areAlertsRight, compareAlerts } from '../../ledger/compare-alerts.ts';
import { acknowledgedPayloads } from '../../ledger/ledger.ts';
import { recountRollups, recountRows } from '../../ledger/recount.ts';
import { startGenerator } from '../../load/start-generator.ts';
import { ledgerLine } from '../../report/load-table.ts';
import { figureTable, number } from '../../report/table.ts';
import { createRules } from '../../rules.ts';
import type { Scenario } from '../../scenario.ts';
import { replayPlan } from './replay.ts';

type KillRound = Awaited<ReturnType<typeof runKills>>;

/** The number of seconds of load in the plan for each round: more than a round takes with pause and restart. */
const SECONDS_PER_ROUND = 6;

export const kill: Scenario = {
  measures:
    'kill -9 of all processes again and again during a replay, then everything is compared with the ledger',
  options: ['kills'],
  async run(product, { kills }, print) {
    const seed = Date.now() >>> 0;
    print(`moments of the kills: seed ${seed}`);
    const round = await runKills(product, kills, createRandom(seed));
    print(killTable(round, kills));
    const { report, rollupDifferences, alerts } = round;
    const isRight = rollupDifferences.length === 0 && alerts !== null && areAlertsRight(alerts);
    return { valid: isIntact(report) && isRight, figures: [round] };
  },
};

/**
 * Repeatedly kills every process of the product at a random moment of a replay and restarts it on the same data; then
 * compares rows, rollups and alerts with the ledger.
 */
async function runKills(product: Product, rounds: number, random: () => number) {
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
  return withAdmin(product.dataDir, async (sql) => {
    await settle(product.dataDir, Date.now(), () => ({ total: cpuSeconds(product.pid()) }));
    const report = await recountRows(sql, plan, ledger);
    const whole = ledger.sent.every((sent, index) => sent === ledger.acknowledged[index]);
    const rollupDifferences = whole ? await recountRollups(api, plan, ledger) : [];
    // Nothing can be compared if the outcome of a request stayed unknown.
    const alerts = whole ? await compareAlerts(sql, plan, ledger, rules) : null;
    const payloads = acknowledgedPayloads(ledger);
    return { payloads, restartSeconds: Math.max(...restarts), report, rollupDifferences, alerts };
  });
}

function killTable(round: KillRound, kills: number): string {
  const { alerts } = round;
  const compared =
    alerts === null
      ? 'not compared: the outcome of a request stayed unknown'
      : `${alerts.expected} / ${alerts.missing.length} / ${alerts.unexpected.length}`;
  const lines = figureTable([
    ['kills', String(kills)],
    ['payloads acknowledged', number(round.payloads)],
    ['longest restart until ready', `${number(round.restartSeconds, 1)} s`],
    ['alerts expected / missing / unexpected', compared],
  ]);
  const faults = [
    ...round.report.examples,
    ...round.rollupDifferences.slice(0, 5),
    ...(alerts?.missing.slice(0, 5) ?? []),
    ...(alerts?.unexpected.slice(0, 5) ?? []),
  ];
  return `${lines}\n\n${ledgerLine(round.report)}\n${faults.join('\n')}`;
}
