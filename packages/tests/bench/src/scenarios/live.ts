import type { Plan } from '../load/plan.ts';
import { loadOutcome } from '../report/load-table.ts';
import type { Scenario } from '../scenario.ts';
import { type Load, runLoad } from './load.ts';
import { type Freshness, probe } from './probe.ts';

const STEP_MS = 10_000;
/** The number of ticks of the warm-up: first contact, and a minute in which rollups begin. */
const WARM_UP_TICKS = 7;
/** The pause after first contact, ms, which takes longer than a step and would delay the next ticks. */
const PAUSE_MS = 30_000;

const METRICS = 100;

/** The default rate of a live load, samples a second. */
export const LIVE_RATE = 50_000;

/**
 * The load of hosts with 100 metrics each, one payload per request every ten seconds, as many hosts as make `rate` samples
 * a second; measured for `seconds` after the warm-up.
 */
export function liveLoad(seconds: number, now: number, rate = LIVE_RATE): Load {
  const plan: Plan = {
    seed: 5_000_100,
    hosts: Math.round((rate * STEP_MS) / 1_000 / METRICS),
    metrics: METRICS,
    stepMs: STEP_MS,
    // The first tick is in the past, so that no sample has a time in the future.
    startMs: now - STEP_MS,
    ticks: WARM_UP_TICKS + Math.max(1, Math.ceil(seconds / 10)),
    pauseMs: PAUSE_MS,
    connections: 64,
    payloadsPerRequest: 1,
    paced: true,
    rich: false,
    parts: 0,
  };
  return { plan, seconds: null, rate: null, warmUpTicks: WARM_UP_TICKS };
}

export const live: Scenario = {
  measures: `5,000 hosts with 100 metrics every 10 s, one payload a request, with probes of freshness and alerting;
first contact and a minute of warm-up come before what is measured`,
  options: ['seconds'],
  topologies: ['embedded', 'distributed'],
  async run(product, { seconds }, print) {
    let freshness: Freshness | undefined;
    const result = await runLoad(product, liveLoad(seconds, Date.now()), async (api, ended) => {
      freshness = await probe(api, ended);
    });
    const { text, valid, figures } = loadOutcome(result, freshness);
    print(text);
    return { valid, figures };
  },
};
