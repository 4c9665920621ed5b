import { setTimeout as sleep } from 'node:timers/promises';
import { readStackFile } from '@tidewatch/stack/stack-file';
import type { Product } from '@tidewatch/testkit/product';
import { createApi } from '../api.ts';
import { type ConsumerLag, type ConsumerName, openConsumerLag } from '../consumers.ts';
import { openAdmin } from '../database.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { type AlertReport, areAlertsRight, compareAlerts } from '../ledger/compare-alerts.ts';
import { recountRows } from '../ledger/recount.ts';
import { startGenerator } from '../load/start-generator.ts';
import { type SpeedGauge, startSpeedGauge, unitCost } from '../measure/speed-gauge.ts';
import { createRules } from '../rules.ts';
import { type ConsumerFleet, takeOver } from './consumer-fleet.ts';
import { replayLoad } from './replay.ts';

/** So many processes at work on a backlog, each held to the share. */
export interface Saturated {
  processes: number;
  samplesPerSecond: number;
  cpuSecondsPerMillion: number;
  /** CPU-seconds that a fixed piece of work took meanwhile. */
  unitCost: number;
}

/** One falls behind, two catch up, each held to `share` of a processor, while the load goes on. */
export interface Catching {
  share: number;
  /** Records behind when the second was added, and how long one had been falling behind by then. */
  behind: number;
  afterSeconds: number;
  /** From adding the second until nothing was left but what had just come; null where it never was. */
  caughtUpSeconds: number | null;
}

export interface ScalingResult {
  consumer: ConsumerName;
  share: number;
  rate: number;
  saturated: Saturated[];
  catching: Catching;
}

export interface ScalingOutcome {
  results: ScalingResult[];
  report: LedgerReport;
  alerts: AlertReport;
}

/** The share that each process is held to while a backlog is worked on. */
const SHARE = 0.25;
const COUNTS = [1, 2, 4] as const;
/** Seconds of load that pile up before processes are measured, and samples by which the code of each is warm. */
const FILL_SECONDS = 40;
const WARM_SAMPLES = 1_000_000;
const MEASURED_SECONDS = 12;
/** One process is given so much less than the load asks for. */
const OVERLOAD = 1.2;
const FALLING_SECONDS = 20;
const CATCH_UP_WITHIN_MS = 90_000;
/** Longer than everything takes; the load is ended when it is done. */
const LOAD_SECONDS = 1_800;

export function isScalingValid({ report, alerts }: ScalingOutcome): boolean {
  return isIntact(report) && areAlertsRight(alerts);
}

/** Adds writers, then evaluators, under a steady load of `rate` samples a second; then everything is compared. */
export async function runScaling(
  product: Product,
  rate: number,
  say: (result: ScalingResult) => void,
): Promise<ScalingOutcome> {
  const rules = await createRules(createApi(product.url, product.key));
  const load = replayLoad('replay', LOAD_SECONDS, rate, Date.now());
  const gateways = readStackFile(product.dataDir)?.gateway_urls ?? [product.url];
  const admin = openAdmin(product.dataDir);
  const lag = await openConsumerLag(product.dataDir, admin.sql);
  if (lag === null) throw new Error('scaling is measured where there is a topic');
  const order = { ...load, url: product.url, key: product.key, ingestUrls: gateways };
  const gauge = await startSpeedGauge();
  const generating = startGenerator(order);
  const fleets: ConsumerFleet[] = [];
  try {
    const results: ScalingResult[] = [];
    for (const consumer of ['writer', 'evaluator'] as const) {
      const fleet = await takeOver(consumer, product.dataDir);
      fleets.push(fleet);
      const result = await scale({ consumer, fleet, lag, rate, gauge });
      say(result);
      results.push(result);
      fleet.hold(null);
    }
    generating.stop();
    const { ledger } = await generating.result;
    await lag.caughtUp(CATCH_UP_WITHIN_MS * 2);
    const report = await recountRows(admin.sql, load.plan, ledger);
    return { results, report, alerts: await compareAlerts(admin.sql, load.plan, ledger, rules) };
  } finally {
    gauge.stop();
    generating.stop();
    for (const fleet of fleets) await fleet.resize(0);
    await lag.close();
    await admin.close();
  }
}

interface Scaling {
  consumer: ConsumerName;
  fleet: ConsumerFleet;
  lag: ConsumerLag;
  rate: number;
  gauge: SpeedGauge;
}

async function scale(scaling: Scaling): Promise<ScalingResult> {
  const { consumer, rate } = scaling;
  const saturated: Saturated[] = [];
  for (const count of COUNTS) saturated.push(await saturate(scaling, count));
  const cost = saturated[0]?.cpuSecondsPerMillion ?? 0;
  const share = Math.min(SHARE, (rate * cost) / 1e6 / OVERLOAD);
  return { consumer, share: SHARE, rate, saturated, catching: await catchUp(scaling, share) };
}

async function saturate({ consumer, fleet, lag, gauge }: Scaling, count: number): Promise<Saturated> {
  await fleet.resize(0);
  await sleep(FILL_SECONDS * 1_000 * Math.max(1, count / 2));
  await fleet.resize(count);
  const start = await fleet.spent();
  const warm = start.samples + WARM_SAMPLES * count;
  while ((await fleet.spent()).samples < warm && (await lag.records())[consumer] > 0) await sleep(100);
  fleet.hold(SHARE);
  const began = performance.now();
  const before = await fleet.spent();
  const speedBefore = gauge.read();
  const deadline = began + MEASURED_SECONDS * 1_000;
  // A backlog that is used up would measure waiting.
  do await sleep(200);
  while (performance.now() < deadline && (await lag.records())[consumer] > count * 50);
  const after = await fleet.spent();
  const speedAfter = gauge.read();
  const seconds = (performance.now() - began) / 1_000;
  fleet.hold(null);
  const samples = after.samples - before.samples;
  return {
    processes: count,
    samplesPerSecond: samples / seconds,
    cpuSecondsPerMillion: (after.cpuSeconds - before.cpuSeconds) / (samples / 1e6),
    unitCost: unitCost(speedBefore, speedAfter),
  };
}

async function catchUp({ consumer, fleet, lag }: Scaling, share: number): Promise<Catching> {
  await fleet.resize(1);
  const behindNow = async () => (await lag.records())[consumer];
  const arriving = await recordsPerSecond(lag);
  await reach(behindNow, arriving);
  fleet.hold(share);
  const fallingSince = performance.now();
  await sleep(FALLING_SECONDS * 1_000);
  const behind = await behindNow();
  const afterSeconds = (performance.now() - fallingSince) / 1_000;
  const added = performance.now();
  await fleet.resize(2);
  fleet.hold(share);
  const reached = await reach(behindNow, arriving);
  return {
    share,
    behind,
    afterSeconds,
    caughtUpSeconds: reached ? (performance.now() - added) / 1_000 : null,
  };
}

/** Waits until no more is left than comes in a second. */
async function reach(behindNow: () => Promise<number>, arriving: number): Promise<boolean> {
  for (const deadline = performance.now() + CATCH_UP_WITHIN_MS; performance.now() < deadline; ) {
    if ((await behindNow()) <= arriving) return true;
    await sleep(200);
  }
  return false;
}

async function recordsPerSecond(lag: ConsumerLag): Promise<number> {
  const began = performance.now();
  const before = await lag.published();
  await sleep(3_000);
  return ((await lag.published()) - before) / ((performance.now() - began) / 1_000);
}
