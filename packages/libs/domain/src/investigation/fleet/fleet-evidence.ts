import { seriesPoints } from '../evidence.ts';
import type { Facts } from '../facts.ts';
import type { EvidenceDraft, Summary } from '../finding.ts';
import { quantile, sorted } from '../statistics/robust.ts';
import { firstAt } from '../statistics/slice.ts';
import { isoTime } from '../words/figures.ts';
import type { HostRanking, RankedHost } from './rank-hosts.ts';
import type { Trace } from './trace.ts';

/** Maximum number of rows in a piece of evidence. */
const MAX_ROWS = 240;

/** Evidence about a suspected host: its series, and the statistics for which it is suspected. */
export function traceEvidence({ facts, movement, correlation, compared, together }: Trace): EvidenceDraft {
  return {
    ...facts.source,
    stats: {
      usual_median: facts.usual.median,
      usual_spread: movement.spread,
      usual_count: facts.usual.count,
      beyond_usual: movement.excess,
      strength: movement.strength,
      correlation,
      compared_values: compared,
      together,
      started_at: movement.startedAt === null ? null : isoTime(movement.startedAt),
    },
    points: seriesPoints(facts.recent),
  };
}

/** Evidence that lists all compared hosts with the statistics that distinguish them. */
export function comparisonEvidence(facts: Facts, { symptom, hosts }: HostRanking): EvidenceDraft {
  const { metric } = symptom.facts;
  return {
    ref: `peers:${metric}`,
    query: `metric ${metric} and those that moved most, of ${facts.peers.length} hosts, in steps of ${symptom.stepMs / 1_000} s`,
    from: facts.peersFrom,
    to: facts.to,
    stats: {
      hosts_compared: hosts.length,
      hosts_left_out: facts.peersLeftOut,
      step_seconds: symptom.stepMs / 1_000,
      symptom_beyond_usual: symptom.movement.excess,
      symptom_evident: symptom.evident,
    },
    points: hosts.slice(0, MAX_ROWS).map(rowOf),
  };
}

function rowOf({ host, serviceId, score, best }: RankedHost): Record<string, number | string | null> {
  return {
    host,
    service_id: serviceId,
    metric: best.facts.metric,
    score,
    correlation: best.correlation,
    strength: best.movement.strength,
    beyond_usual: best.movement.excess,
    started_at: best.movement.startedAt === null ? null : isoTime(best.movement.startedAt),
  };
}

/** Statistics of a metric before the trouble, its baseline. */
export function usualSummary({ facts }: Trace, until: number): Summary {
  const { median, min, max, count } = facts.usual;
  return { median, min, max, count, from: facts.source.from, to: until };
}

/** Statistics of a metric since it began to move; of the whole window if it did not. */
export function observedSummary({ window, movement }: Trace, to: number): Summary {
  const begin = movement.startedAt === null ? 0 : firstAt(window.times, movement.startedAt);
  const values = sorted(window.values.subarray(begin));
  return {
    median: quantile(values, 0.5),
    min: values[0] ?? Number.NaN,
    max: values.at(-1) ?? Number.NaN,
    count: values.length,
    from: window.times[begin] ?? to,
    to,
  };
}
