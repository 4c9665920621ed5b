import type { PeerFacts, PeerMetricFacts } from '@tidewatch/domain/investigation/facts';
import type { Host } from './host.ts';

const HOUR = 3_600_000;
const STEPS = [10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map((seconds) => seconds * 1_000);
const MOST_MOVED = 5;
const WORTH_READING = 6;
/** What is usual is told by means of five minutes over so long before. */
const USUAL_MS = 8 * HOUR;
const USUAL_STEP = 300_000;

export interface PeerWindow {
  readonly from: number;
  readonly to: number;
  readonly peersFrom: number;
  readonly stepMs: number;
}

/** The width of the steps in which peers are read: at most 120 of them, none shorter than the usual interval. */
export function stepOfPeers(intervalMs: number, windowMs: number): number {
  const least = Math.max(intervalMs, (windowMs + HOUR) / 119);
  return STEPS.find((step) => step >= least) ?? HOUR;
}

/** Another host as the store would reduce it: the alerting metric, and those that moved most. */
export function peerFacts(host: Host, metric: string, window: PeerWindow): PeerFacts {
  const all = [...host.signals.keys()].map((name) => reduced(host, name, window));
  const moved = all
    .filter((each) => each.facts.metric !== metric && each.moved > WORTH_READING)
    .sort((a, b) => b.moved - a.moved)
    .slice(0, MOST_MOVED);
  const asked = all.filter((each) => each.facts.metric === metric);
  return {
    serviceId: host.serviceId,
    host: host.name,
    tags: host.tags,
    lastSeen: window.to,
    metrics: [...asked, ...moved].map(({ facts }) => facts),
  };
}

function reduced(host: Host, metric: string, window: PeerWindow): { facts: PeerMetricFacts; moved: number } {
  const signal = host.signals.get(metric);
  if (signal === undefined) throw new Error(`no metric ${metric}`);
  const before: number[] = [];
  for (let time = window.from - USUAL_MS; time < window.from; time += USUAL_STEP)
    before.push((signal.at(time) + signal.at(time + 60_000) + signal.at(time + 180_000)) / 3);
  before.sort((a, b) => a - b);
  const median = before[before.length >> 1] ?? 0;
  const mad = before.map((value) => Math.abs(value - median)).sort((a, b) => a - b)[before.length >> 1] ?? 0;
  const times: number[] = [];
  const values: number[] = [];
  for (let time = window.peersFrom; time < window.to; time += window.stepMs) {
    const later = Math.min(time + window.stepMs / 2, window.to - 1);
    times.push(time);
    values.push((signal.at(time) + signal.at(later)) / 2);
  }
  const inside = values.filter((_, i) => (times[i] as number) >= window.from);
  const moved =
    (Math.max(...inside) - Math.min(...inside)) / Math.max(1.4826 * mad, 0.001 * Math.abs(median), 1e-9);
  const facts: PeerMetricFacts = {
    metric,
    usual: { median, mad, min: before[0] ?? 0, max: before.at(-1) ?? 0, count: before.length },
    recent: { times: Float64Array.from(times), values: Float64Array.from(values) },
    source: {
      ref: `host:${host.name}/${metric}`,
      query: `synthetic host:${host.name}/${metric}`,
      from: window.peersFrom,
      to: window.to,
    },
  };
  return { facts, moved };
}
