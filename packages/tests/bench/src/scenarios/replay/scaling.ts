import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { createApi } from '../../api.ts';
import { CONSUMERS, type ConsumerLag, type ConsumerName, openConsumerLag } from '../../consumers.ts';
import { openAdmin } from '../../database.ts';
import { isIntact } from '../../ledger/check.ts';
import { areAlertsRight, compareAlerts } from '../../ledger/compare-alerts.ts';
import { recountRows } from '../../ledger/recount.ts';
import { samplesOfPayload } from '../../load/plan.ts';
import { startGenerator } from '../../load/start-generator.ts';
import type { Catching, Scaled, ScalingOutcome, ScalingResult } from '../../report/scaling-result.ts';
import { scalingTable, scalingVerdict } from '../../report/scaling-table.ts';
import { createRules } from '../../rules.ts';
import type { Scenario } from '../../scenario.ts';
import { type ConsumerFleet, takeOver } from './consumer-fleet.ts';
import { replayLoad } from './replay.ts';

/** The share of a processor to which each process is limited. */
const SHARE = 0.25;
/**
 * The numbers of processes in each round, up and down and several times each, so that changes of the machine affect all of
 * them.
 */
const COUNTS = [1, 1, 2, 2, 4, 4, 4, 4, 2, 2, 1, 1] as const;
/**
 * The number of samples that a process handles before it is measured, because compiling its code costs as much as some
 * millions of samples.
 */
const WARM_SAMPLES = 150_000_000;
const MEASURED_SECONDS = 15;
/** The time to wait for a rebalance after the number of processes changed, ms. */
const REBALANCE_MS = 3_000;
/** The load as a multiple of what one process can process. */
const OVERLOAD = 1.08;
const FALLING_SECONDS = 20;
const CATCH_UP_WITHIN_MS = 90_000;
/** The timeout for processing the lag before a measurement, and for that of the other consumer afterwards, ms. */
const WORK_OFF_WITHIN_MS = 900_000;
/** The max duration of the load, longer than the measurement, which ends the load. */
const LOAD_SECONDS = 2_400;
/** As many hosts as in a replay, with five times as many ticks, so that the plan outlasts the measurement. */
const HOSTS = 1_000;
const TICKS_OF_REPLAY = 5;
/**
 * The number of connections, higher than in a replay, so that not all wait for responses before a consumer is overloaded.
 */
const CONNECTIONS = 64;

/** The load in samples a second: enough to measure the cost of a consumer, and less than what the gateways can accept. */
const SCALING_RATE = 450_000;

export const scaling: Scenario = {
  measures: `writers or evaluators, each held to a quarter of a processor: what 1, 2 and 4 of them take and cost, and
that a second lets the lag of a first fall; distributed, as root, some 20 minutes and half an hour for the recount`,
  options: ['rate', 'consumer'],
  topologies: ['distributed'],
  async run(product, { consumer, rate }, print) {
    const say = (result: ScalingResult) => print(scalingTable(result));
    const figures = await runScaling(product, consumer, rate ?? SCALING_RATE, say);
    print(scalingVerdict(figures));
    return { valid: isIntact(figures.report) && areAlertsRight(figures.alerts), figures };
  },
};

/**
 * Adds processes of a consumer, one after the other, under a load of `rate` samples a second that one of them cannot
 * process. The other consumer is stopped, so that the machine is no bottleneck. Finally compares everything with the
 * ledger. Throws if the load ends early.
 */
async function runScaling(
  product: Product,
  consumer: ConsumerName,
  rate: number,
  say: (result: ScalingResult) => void,
): Promise<ScalingOutcome> {
  const rules = await createRules(createApi(product.url, product.key));
  const replay = replayLoad('replay', LOAD_SECONDS, null, Date.now());
  const plan = {
    ...replay.plan,
    hosts: HOSTS,
    connections: CONNECTIONS,
    stepMs: replay.plan.stepMs / TICKS_OF_REPLAY,
    ticks: replay.plan.ticks * TICKS_OF_REPLAY,
  };
  const load = { ...replay, plan, rate };
  const gateways = readStackFile(product.dataDir)?.gateway_urls ?? [product.url];
  const admin = openAdmin(product.dataDir);
  const lag = await openConsumerLag(product.dataDir, admin.sql);
  if (lag === null)
    throw new Error('scaling can be measured only in the distributed topology, which has a Kafka topic');
  const order = { ...load, url: product.url, key: product.key, ingestUrls: gateways };
  const generating = startGenerator(order);
  const fleets: ConsumerFleet[] = [];
  const loadEnded = generating.result.then(() => Promise.reject(new Error('the load ended too early')));
  loadEnded.catch(() => undefined);

  async function scaleUnderLoad(lag: ConsumerLag): Promise<ScalingResult> {
    for (const each of CONSUMERS) fleets.push(await takeOver(each, product.dataDir));
    const fleet = fleets[CONSUMERS.indexOf(consumer)] as ConsumerFleet;
    const generator = {
      samples: () => generating.progress() * samplesOfPayload(load.plan),
      cpuSeconds: () => cpuSeconds(generating.pid),
      setRate: generating.setRate,
    };
    await sleep(5_000); // Until the load is at its rate.
    const result = await scale({ consumer, fleet, lag, generator });
    await fleet.resize(0);
    say(result);
    return result;
  }

  try {
    const result = await Promise.race([scaleUnderLoad(lag), loadEnded]);
    generating.stop();
    const { ledger } = await generating.result;
    for (const fleet of fleets) await fleet.resize(2);
    await lag.caughtUp(WORK_OFF_WITHIN_MS);
    const report = await recountRows(admin.sql, load.plan, ledger);
    return { result, report, alerts: await compareAlerts(admin.sql, load.plan, ledger, rules) };
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
  /** Returns the generator's samples and CPU time since its start, and changes its rate (samples a second). */
  generator: { samples(): number; cpuSeconds(): number; setRate(rate: number): void };
}

async function scale(scaling: Scaling): Promise<ScalingResult> {
  // Determines the load in two steps, because the cost of a process depends on the load.
  for (let step = 0; step < 2; step += 1) {
    const { cpuSeconds, samples } = await underLoad(scaling, 1);
    scaling.generator.setRate((OVERLOAD * SHARE * samples) / cpuSeconds);
  }
  const rounds: Round[] = [];
  for (const count of COUNTS) rounds.push(await underLoad(scaling, count));
  const scaled = [...new Set(COUNTS)].map((count) => together(rounds, count));
  return { consumer: scaling.consumer, share: SHARE, scaled, catching: await catchUp(scaling) };
}

/** The figures of one round with a number of processes, and the samples that arrived during the round. */
interface Round {
  count: number;
  seconds: number;
  samples: number;
  cpuSeconds: number;
  sent: number;
  generatorCpuSeconds: number;
}

function together(rounds: readonly Round[], count: number): Scaled {
  const chosen = rounds.filter((round) => round.count === count);
  const sum = (of: (round: Round) => number) => chosen.reduce((total, round) => total + of(round), 0);
  const seconds = sum((round) => round.seconds);
  return {
    processes: count,
    sentPerSecond: sum(({ sent }) => sent) / seconds,
    samplesPerSecond: sum(({ samples }) => samples) / seconds,
    cpuPerMillion: sum((round) => round.cpuSeconds) / (sum(({ samples }) => samples) / 1e6),
    generatorPerMillion: sum((round) => round.generatorCpuSeconds) / (sum(({ sent }) => sent) / 1e6),
    rounds: chosen.map(({ cpuSeconds: spent, samples, generatorCpuSeconds, sent }) => ({
      cpuPerMillion: spent / (samples / 1e6),
      generatorPerMillion: generatorCpuSeconds / (sent / 1e6),
    })),
  };
}

/**
 * Measures with `count` processes, once all are warm and there is no lag; the lag of a single process grows from then on.
 */
async function underLoad(scaling: Scaling, count: number): Promise<Round> {
  const { consumer, fleet } = scaling;
  fleet.hold(null);
  await fleet.resize(count);
  while ((await fleet.spent()).minSamples < WARM_SAMPLES) await sleep(50);
  if (!(await reach(scaling, WORK_OFF_WITHIN_MS)))
    throw new Error(`timeout: the lag of ${count} ${consumer}s did not fall to 0`);
  fleet.hold(SHARE);
  await sleep(REBALANCE_MS);
  return measured(scaling, count);
}

async function measured({ fleet, generator }: Scaling, count: number): Promise<Round> {
  const began = performance.now();
  const sentBefore = generator.samples();
  const generatorBefore = generator.cpuSeconds();
  const before = await fleet.spent();
  await sleep(MEASURED_SECONDS * 1_000);
  const after = await fleet.spent();
  return {
    count,
    seconds: (performance.now() - began) / 1_000,
    samples: after.samples - before.samples,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    sent: generator.samples() - sentBefore,
    generatorCpuSeconds: generator.cpuSeconds() - generatorBefore,
  };
}

async function catchUp(scaling: Scaling): Promise<Catching> {
  const { consumer, fleet, lag } = scaling;
  fleet.hold(null);
  await fleet.resize(1);
  await reach(scaling, WORK_OFF_WITHIN_MS);
  fleet.hold(SHARE);
  const fallingSince = performance.now();
  await sleep(FALLING_SECONDS * 1_000);
  const behind = (await lag.records())[consumer];
  const afterSeconds = (performance.now() - fallingSince) / 1_000;
  const added = performance.now();
  await fleet.resize(2);
  fleet.hold(SHARE);
  const reached = await reach(scaling, CATCH_UP_WITHIN_MS);
  return { behind, afterSeconds, caughtUpSeconds: reached ? (performance.now() - added) / 1_000 : null };
}

/** Waits until the lag is less than the records of one second. */
async function reach({ consumer, lag }: Scaling, withinMs: number): Promise<boolean> {
  const arriving = await recordsPerSecond(lag);
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    if ((await lag.records())[consumer] <= arriving) return true;
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
