import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts } from './facts.ts';
import { inSteps } from './fleet/align-series.ts';
import { chain, slice } from './statistics/slice.ts';
import { comparedStep, peersFrom } from './window.ts';

/** With as much history before the trouble, means of minutes show what is usual. */
const ENOUGH_MS = 30 * MINUTE_MS;

/**
 * Fits the window and the history to a host that is known for minutes only. Its window would begin before its first sample:
 * it begins in the middle of what is known from before the alert instead, so that the values before are history. Where
 * minutes are few, history has the steps in which hosts are compared.
 * @param own the facts without other hosts, with the samples of the window and of the time before it
 */
export function fittedToHistory(own: Facts): Facts {
  const first = firstKnown(own);
  if (first === null) return own;
  const from = Math.max(own.from, middleOfKnown(own, first));
  const window = { from, to: own.to, intervalMs: own.intervalMs };
  const stepMs = comparedStep(window);
  const known = (own.alert?.pendingSince ?? from) - first;
  const isFine = known > 0 && known < ENOUGH_MS && stepMs < MINUTE_MS;
  if (from === own.from && !isFine) return own;
  const metrics = own.metrics.map((metric) => fitted(metric, own, from, isFine ? stepMs : null));
  return { ...own, from, peersFrom: Math.min(own.peersFrom, peersFrom(window)), metrics };
}

/** The middle between the first sample and the time when the trouble was noticed, ms, where the window would hide that there is history. */
function middleOfKnown({ from, to, alert }: Facts, first: number): number {
  if (alert === null) return first >= from ? Math.ceil((first + to) / 2) : from;
  if (alert.noData || first >= alert.pendingSince) return from;
  return Math.ceil((first + alert.pendingSince) / 2);
}

/** The time of the first value of the host, ms; null without any. */
function firstKnown({ metrics }: Facts): number | null {
  const firsts = metrics
    .filter(({ subject }) => subject.kind === 'host')
    .map(({ history, before, recent }) =>
      Math.max(
        history.times[0] ?? Number.NEGATIVE_INFINITY,
        Math.min(before.times[0] ?? Number.POSITIVE_INFINITY, recent.times[0] ?? Number.POSITIVE_INFINITY),
      ),
    )
    .filter(Number.isFinite);
  return firsts.length === 0 ? null : Math.min(...firsts);
}

function fitted(metric: MetricFacts, { to }: Facts, from: number, stepMs: number | null): MetricFacts {
  const samples = chain(metric.before, metric.recent);
  return {
    ...metric,
    history: stepMs === null || samples.times.length === 0 ? metric.history : inSteps(samples, stepMs),
    before: slice(samples, Number.NEGATIVE_INFINITY, from),
    recent: slice(samples, from, to),
  };
}
