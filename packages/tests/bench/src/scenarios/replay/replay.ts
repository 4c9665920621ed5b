import { PART_METRICS } from '../../load/parts.ts';
import type { Plan } from '../../load/plan.ts';
import { loadOutcome } from '../../report/load-table.ts';
import type { Scenario } from '../../scenario.ts';
import { type Load, runLoad } from '../load.ts';

export type ReplayKind = 'replay' | 'single' | 'rich' | 'parts' | 'fleet';

const STEP_MS = 10_000;
const HOSTS = 1_000;
const METRICS = 10;
const PARTS = 20;
/** A fleet whose agents report every second, each by a connection of its own. */
const FLEET = { hosts: 200, stepMs: 1_000 };
const FLEET_RATE = 24_000;
/**
 * For each kind of replay, more payloads a second than any machine can process, so that the plan is long enough for the
 * whole run.
 */
const MAX_PAYLOADS_PER_SECOND: Record<ReplayKind, number> = {
  replay: 150_000,
  single: 10_000,
  rich: 8_000,
  parts: 5_000,
  fleet: 5_000,
};
/**
 * The max number of ticks, so that no sample is older than raw retention (7 days) and no snapshot older than that of
 * snapshots (2 days).
 */
const MAX_TICKS: Record<ReplayKind, number> = {
  replay: 51_840,
  single: 51_840,
  rich: 14_400,
  parts: 14_400,
  fleet: 14_400,
};
const SAMPLES_OF_PAYLOAD: Record<ReplayKind, number> = {
  replay: METRICS,
  single: METRICS,
  rich: METRICS + 10,
  parts: METRICS + 10 + PARTS * PART_METRICS.length,
  fleet: METRICS + 10 + PARTS * PART_METRICS.length,
};
const PAYLOADS_PER_REQUEST: Record<ReplayKind, number> = {
  replay: 100,
  single: 1,
  rich: 100,
  parts: 100,
  fleet: 2,
};

/** A thousand hosts, or so many thousands of a replay that their samples are young enough. */
function hostsOf(kind: ReplayKind, payloads: number): number {
  return kind === 'replay' ? HOSTS * Math.ceil(payloads / (HOSTS * MAX_TICKS.replay)) : HOSTS;
}

/**
 * A plan for `seconds` of sending whose last tick is before `now`. With `rate` (samples a second), it has exactly the
 * samples that will be sent, otherwise more than can be sent.
 */
export function replayPlan(
  kind: ReplayKind,
  seconds: number,
  rate: number | null,
  now: number,
  connections = 32,
): Plan {
  const payloads =
    rate === null ? MAX_PAYLOADS_PER_SECOND[kind] * seconds : (rate * seconds) / SAMPLES_OF_PAYLOAD[kind];
  const stepMs = kind === 'fleet' ? FLEET.stepMs : STEP_MS;
  const hosts = kind === 'fleet' ? FLEET.hosts : hostsOf(kind, payloads);
  const ticks = Math.min(MAX_TICKS[kind], Math.max(1, Math.round(payloads / hosts)));
  const hasParts = kind === 'parts' || kind === 'fleet';
  return {
    seed: 20_261_121,
    hosts,
    metrics: METRICS,
    stepMs,
    startMs: Math.floor(now / stepMs) * stepMs - ticks * stepMs,
    ticks,
    connections: kind === 'fleet' ? hosts : connections,
    payloadsPerRequest: PAYLOADS_PER_REQUEST[kind],
    paced: false,
    rich: kind === 'rich' || hasParts,
    parts: hasParts ? PARTS : 0,
  };
}

export function replayLoad(
  kind: ReplayKind,
  seconds: number,
  rate: number | null,
  now: number,
  connections?: number,
): Load {
  return {
    plan: replayPlan(kind, seconds, rate, now, connections),
    seconds: rate === null ? seconds : null,
    rate,
    warmUpTicks: 0,
  };
}

const scenarioOf = (kind: ReplayKind, measures: string): Scenario => ({
  measures,
  options: ['seconds', 'rate', 'rules', kind === 'fleet' ? 'payloads' : 'connections'],
  topologies: ['embedded', 'distributed'],
  async run(product, { seconds, rate, rules, payloads, connections }, print) {
    const load = { ...replayLoad(kind, seconds, rate, Date.now(), connections), rules };
    if (kind === 'fleet') load.plan.payloadsPerRequest = payloads;
    const result = await runLoad(product, load);
    const { text, valid, figures } = loadOutcome(result);
    print(text);
    return { valid, figures };
  },
});

export const replay = scenarioOf(
  'replay',
  '1,000 hosts with 10 metrics, 10 s apart, 100 payloads a request, 32 connections, 100 rules',
);
export const single = scenarioOf('single', 'the same with one payload a request');
export const rich = scenarioOf('rich', 'the same with 4 tags, 5 containers and 20 processes a payload');
export const parts = scenarioOf('parts', 'the same as rich with 20 parts of five numbers a payload besides');

/** Requests of one host hold its payloads alone, as those of its agent do. */
export const fleet: Scenario = {
  ...scenarioOf(
    'fleet',
    '200 hosts as parts has, 1 s apart, with a connection each and --payloads in a request',
  ),
  limits: { rate: { default: FLEET_RATE } },
};
