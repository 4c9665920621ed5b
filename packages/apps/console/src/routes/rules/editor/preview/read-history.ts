import { ApiProblem } from '@tidewatch/api-client/problem';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { api } from '../../../../api/client.ts';
import { serverNow } from '../../../../components/time/clock.ts';

export const DAYS = 7;
const STEP_SECONDS = 600;
const SHOWN_HOSTS = 3;

export interface HostHistory {
  host: string;
  /** ms and the mean of the step. */
  times: number[];
  values: number[];
}

/** `from` is 7 days ago, or when the hosts began to report the metric; both ends are ms. */
export interface MetricHistory {
  from: number;
  to: number;
  stepSeconds: number;
  /** The hosts with the highest means. */
  hosts: HostHistory[];
  /** How many hosts of the scope report the metric. */
  services: number;
  /** Null where no host reports the metric. */
  range: { low: number; median: number; high: number } | null;
}

/**
 * The metric of the hosts of a scope in the last 7 days, whatever the scope says of parts. Containers, processes and parts
 * have no history by host.
 */
export async function readHistory(
  metric: string,
  { hosts: patterns, tags }: RuleDefinition['scope'],
  signal: AbortSignal,
): Promise<MetricHistory> {
  const to = Math.ceil(serverNow() / (STEP_SECONDS * 1_000)) * STEP_SECONDS * 1_000;
  const from = to - DAYS * DAY_MS;
  const empty = { from, to, stepSeconds: STEP_SECONDS, hosts: [], services: 0, range: null };
  if (/^(container|process|host)\./.test(metric)) return empty;
  const selector = { ...(patterns && { hosts: patterns }), ...(tags && { tags }) };
  const ask = { metric, selector, from, to, signal };
  const range = await readRange(ask);
  const highest = await atFinestStep((step) => query({ ...ask, step, top: SHOWN_HOSTS }));
  const names = highest.series.flatMap(({ group }) => group ?? []);
  if (names.length === 0) return { ...empty, services: highest.services };
  const began = Math.min(...highest.series.flatMap(({ points }) => Date.parse(points[0]?.t ?? '') || to));
  const stepSeconds = stepOf(to - began);
  const { series } = await query({
    ...ask,
    from: Math.max(from, began),
    selector: { hosts: names },
    step: stepSeconds,
    top: SHOWN_HOSTS,
  });
  const hosts = series.map(({ group, points }) => ({
    host: group ?? '',
    times: points.map(({ t }) => Date.parse(t)),
    values: points.map(({ value }) => value),
  }));
  const shown = { stepSeconds, hosts, services: highest.services, range };
  const first = Math.min(...hosts.flatMap(({ times }) => times.slice(0, 1)), to);
  if (to - first >= DAYS * DAY_MS - HOUR_MS) return { ...shown, from, to };
  const stepMs = stepSeconds * 1_000;
  return { ...shown, from: first - stepMs, to: Math.ceil(serverNow() / stepMs) * stepMs };
}

/** Seconds of a step that shows a span (ms) in a few hundred points. */
function stepOf(span: number): number {
  if (span <= 6 * HOUR_MS) return 60;
  return span <= 2 * DAY_MS ? 300 : STEP_SECONDS;
}

interface Ask {
  metric: string;
  selector: RuleDefinition['scope'];
  from: number;
  to: number;
  signal: AbortSignal;
  step?: number;
  top?: number;
  aggregate?: 'min' | 'p50' | 'max';
}

function query({ from, to, signal, selector, ...rest }: Ask) {
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const body = { ...rest, selector: selector as never, from: start, to: end };
  return api.post('/api/v1/query', { body, signal });
}

/** The range that thresholds are chosen from; null where no host reports the metric. */
async function readRange(ask: Ask): Promise<MetricHistory['range']> {
  const read = async (aggregate: 'min' | 'p50' | 'max') => {
    const { series } = await atFinestStep((step) => query({ ...ask, step, aggregate }));
    return series[0]?.points.map(({ value }) => value) ?? [];
  };
  const [lows, medians, highs] = [await read('min'), await read('p50'), await read('max')];
  if (highs.length === 0) return null;
  const sorted = medians.toSorted((a, b) => a - b);
  return {
    low: Math.min(...lows),
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    high: Math.max(...highs),
  };
}

/** Reads by hours, or by days where so many hosts have too many hours for one request. */
async function atFinestStep<T>(read: (step: number) => Promise<T>): Promise<T> {
  try {
    return await read(3_600);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 422) throw error;
    return read(86_400);
  }
}
