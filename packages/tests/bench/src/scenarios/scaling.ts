import { setTimeout as sleep } from 'node:timers/promises';
import { readStackFile } from '@tidewatch/stack/stack-file';
import type { Product } from '@tidewatch/testkit/product';
import { createApi } from '../api.ts';
import { CONSUMERS, type ConsumerLag, type ConsumerName, openConsumerLag } from '../consumers.ts';
import { openAdmin } from '../database.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { type AlertReport, areAlertsRight, compareAlerts } from '../ledger/compare-alerts.ts';
import { recountRows } from '../ledger/recount.ts';
import { startGenerator } from '../load/start-generator.ts';
import { createRules } from '../rules.ts';
import { type ConsumerFleet, takeOver } from './consumer-fleet.ts';
import { replayLoad } from './replay.ts';

/** So many processes at work, each held to the share. */
export interface Scaled {
  processes: number;
  /** What they do where more waits than they can. */
  samplesPerSecond: number;
  /** What that costs: the more they do, the less of it is what comes back each second whatever they do. */
  backlogCpuPerMillion: number;
  /** What the load alone costs, which is the same for any number of processes. */
  loadCpuPerMillion: number;
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
  scaled: Scaled[];
  catching: Catching;
}

export interface ScalingOutcome {
  results: ScalingResult[];
  report: LedgerReport;
  alerts: AlertReport;
}

/** The share that each process is held to while its costs are measured. */
const SHARE = 0.25;
/** Up and down, so that what changes with time is in the sums of each count alike. */
const COUNTS = [1, 2, 4, 2, 1] as const;
/** Samples that wait for each process before it is measured, and those by which its code is warm. */
const BACKLOG_SAMPLES = 6_000_000;
const WARM_SAMPLES = 1_500_000;
const BACKLOG_SECONDS = 8;
/** Under the load they get warm more slowly, and what compiling costs is more beside what they do. */
const LOAD_WARM_SAMPLES = 4_000_000;
const LOAD_MEASURED_SECONDS = 15;
/** Until partitions are with those that have them from now on. */
const REBALANCE_MS = 3_000;
/** One process is given so much less than the load asks for. */
const OVERLOAD = 1.2;
const FALLING_SECONDS = 20;
const CATCH_UP_WITHIN_MS = 90_000;
/** For what is left of the backlog that was piled up, ms. */
const WORK_OFF_WITHIN_MS = 300_000;
/** Longer than everything takes; the load is ended when it is done. */
const LOAD_SECONDS = 1_800;

export function isScalingValid({ report, alerts }: ScalingOutcome): boolean {
  return isIntact(report) && areAlertsRight(alerts);
}

/**
 * Adds writers, then evaluators, under a steady load of `rate` samples a second; then everything is compared. Throws where
 * the load ends before.
 */
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
  const generating = startGenerator(order);
  const fleets: ConsumerFleet[] = [];
  const loadEnded = generating.result.then(() => Promise.reject(new Error('the load ended too early')));
  loadEnded.catch(() => undefined);

  async function scaleBoth(lag: ConsumerLag): Promise<ScalingResult[]> {
    for (const consumer of CONSUMERS) fleets.push(await takeOver(consumer, product.dataDir));
    await sleep(5_000); // Until the load is at its rate.
    const results: ScalingResult[] = [];
    for (const [index, consumer] of CONSUMERS.entries()) {
      const fleet = fleets[index] as ConsumerFleet;
      const result = await scale({ consumer, fleet, lag, rate });
      say(result);
      results.push(result);
    }
    return results;
  }

  try {
    const results = await Promise.race([scaleBoth(lag), loadEnded]);
    generating.stop();
    const { ledger } = await generating.result;
    await lag.caughtUp(WORK_OFF_WITHIN_MS);
    const report = await recountRows(admin.sql, load.plan, ledger);
    return { results, report, alerts: await compareAlerts(admin.sql, load.plan, ledger, rules) };
  } finally {
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
}

async function scale(scaling: Scaling): Promise<ScalingResult> {
  const { consumer, fleet, rate, lag } = scaling;
  const backlog: Round[] = [];
  for (const count of COUNTS) backlog.push(await onBacklog(scaling, count));
  fleet.hold(null);
  await fleet.resize(2);
  const behindNow = async () => (await lag.records())[consumer];
  const arriving = await recordsPerSecond(lag);
  await reach(behindNow, arriving, WORK_OFF_WITHIN_MS);
  const load: Round[] = [];
  for (const count of COUNTS) load.push(await underLoad(scaling, count));
  const scaled = [...new Set(COUNTS)].map((processes): Scaled => {
    const worked = together(backlog, processes);
    return {
      processes,
      samplesPerSecond: worked.samples / worked.seconds,
      backlogCpuPerMillion: costOf(worked),
      loadCpuPerMillion: costOf(together(load, processes)),
    };
  });
  const share = Math.min(SHARE, (rate * (scaled[0]?.backlogCpuPerMillion ?? 0)) / 1e6 / OVERLOAD);
  const catching = await catchUp(scaling, behindNow, arriving, share);
  return { consumer, share: SHARE, rate, scaled, catching };
}

/** What so many processes did once. */
interface Round {
  count: number;
  seconds: number;
  samples: number;
  cpuSeconds: number;
}

const costOf = ({ cpuSeconds, samples }: Round) => cpuSeconds / (samples / 1e6);

/** The rounds of so many processes as one. */
function together(rounds: readonly Round[], count: number): Round {
  const sum = { count, seconds: 0, samples: 0, cpuSeconds: 0 };
  for (const round of rounds) {
    if (round.count !== count) continue;
    sum.seconds += round.seconds;
    sum.samples += round.samples;
    sum.cpuSeconds += round.cpuSeconds;
  }
  return sum;
}

/** Processes that run already go on, and the new ones are warm before they are measured. */
async function onBacklog(scaling: Scaling, count: number): Promise<Round> {
  const { consumer, fleet, lag } = scaling;
  await pileUp(scaling, count);
  await warm(fleet, count, WARM_SAMPLES);
  const round = await measured(fleet, count, BACKLOG_SECONDS);
  // What waits would be measured in place of what works.
  if ((await lag.records())[consumer] < count * 50)
    throw new Error(`${count} ${consumer}s used the backlog up`);
  return round;
}

async function underLoad({ fleet }: Scaling, count: number): Promise<Round> {
  await warm(fleet, count, LOAD_WARM_SAMPLES);
  return measured(fleet, count, LOAD_MEASURED_SECONDS);
}

/** Until each of so many processes has compiled what it runs often, which costs as much as some millions of samples. */
async function warm(fleet: ConsumerFleet, count: number, samples: number): Promise<void> {
  await fleet.resize(count);
  while ((await fleet.spent()).fewestSamples < samples) await sleep(50);
  fleet.hold(SHARE);
  await sleep(REBALANCE_MS);
}

async function measured(fleet: ConsumerFleet, count: number, seconds: number): Promise<Round> {
  const began = performance.now();
  const before = await fleet.spent();
  await sleep(seconds * 1_000);
  const after = await fleet.spent();
  return {
    count,
    seconds: (performance.now() - began) / 1_000,
    samples: after.samples - before.samples,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
  };
}

/** Where too little waits for so many processes, nobody works until there is enough. */
async function pileUp({ consumer, fleet, lag, rate }: Scaling, count: number): Promise<void> {
  const wanted = ((await recordsPerSecond(lag)) / rate) * BACKLOG_SAMPLES * count;
  const waiting = async () => (await lag.records())[consumer];
  if ((await waiting()) >= wanted) return;
  await fleet.resize(0);
  while ((await waiting()) < wanted) await sleep(1_000);
}

async function catchUp(
  { fleet }: Scaling,
  behindNow: () => Promise<number>,
  arriving: number,
  share: number,
): Promise<Catching> {
  fleet.hold(null);
  await fleet.resize(1);
  await reach(behindNow, arriving, CATCH_UP_WITHIN_MS);
  fleet.hold(share);
  const fallingSince = performance.now();
  await sleep(FALLING_SECONDS * 1_000);
  const behind = await behindNow();
  const afterSeconds = (performance.now() - fallingSince) / 1_000;
  const added = performance.now();
  await fleet.resize(2);
  fleet.hold(share);
  const reached = await reach(behindNow, arriving, CATCH_UP_WITHIN_MS);
  return {
    share,
    behind,
    afterSeconds,
    caughtUpSeconds: reached ? (performance.now() - added) / 1_000 : null,
  };
}

/** Waits until no more is left than comes in a second. */
async function reach(behindNow: () => Promise<number>, arriving: number, withinMs: number): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
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
