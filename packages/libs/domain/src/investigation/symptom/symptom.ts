import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, Series, SnapshotFacts } from '../facts.ts';
import { worseOf } from '../metric-class.ts';
import type { Outlook, Shift } from '../outlook.ts';
import { firstAt } from '../statistics/slice.ts';
import { troubledFrom } from '../trouble.ts';
import { type Episode, episodeOf } from './episode.ts';
import { jumpOf } from './jump.ts';
import { shiftOf } from './shift.ts';

/** The subject of an investigation: the metric that alerted or was asked about, its change, and when trouble began. */
export interface Symptom {
  readonly metric: MetricFacts | null;
  readonly shift: Shift | null;
  /** When the trouble began according to the symptom, ms. */
  readonly startedAt: number;
  readonly outlook: Outlook;
  /** The period of the symptom that the question is about, for a symptom that came and went several times. */
  readonly episode: Episode;
  /** Whether the symptom was present at `time` (ms) of the episode; true if this is not known. */
  present(time: number): boolean;
}

/** The time range in which the trouble may have begun; it starts some time before the trouble was noticed. */
export function outlookOf(facts: Facts): Outlook {
  const { from, to, alert } = facts;
  const doubtFrom = troubledFrom({ from, to, pendingSince: alert?.pendingSince ?? null });
  return alert === null ? { to, doubtFrom } : { to, doubtFrom, noticedAt: alert.pendingSince };
}

/** The symptom of the facts. Each detector computes it, so that detectors do not depend on each other. */
export function symptomOf(facts: Facts): Symptom {
  const outlook = outlookOf(facts);
  const metric = symptomMetric(facts);
  if (metric === null) return symptomSince(facts, metric, null, outlook);
  return symptomSince(facts, metric, shiftOf(metric, outlook) ?? openingJump(metric, facts), outlook);
}

/** The jump with which a window begins that somebody chose, for a metric whose earlier troubles hide it; null without one. */
function openingJump(metric: MetricFacts, { from, to, alert }: Facts): Shift | null {
  if (alert !== null) return null;
  const worse = worseOf(metric.metric);
  const directions = worse === 0 ? [1, -1] : [worse];
  const jumps = directions.map((away) => jumpOf(metric, from + MINUTE_MS, away * Number.MIN_VALUE, to));
  return jumps.reduce((most, jump) => (Math.abs(jump?.z ?? 0) > Math.abs(most?.z ?? 0) ? jump : most), null);
}

/**
 * The symptom as if it had begun with the jump that triggered the rule, for a metric that had been moving before. Null if
 * the metric did not jump, or if the jump is the start of the trouble.
 */
export function suddenSymptomOf(facts: Facts): Symptom | null {
  const { metric, shift, startedAt, episode, outlook } = symptomOf(facts);
  if (metric === null || shift === null) return null;
  // A window that somebody chose and that begins with a jump is about that jump.
  const noticedAt = outlook.noticedAt ?? facts.from + MINUTE_MS;
  const jump = jumpOf(metric, noticedAt, shift.delta, outlook.to);
  if (jump === null) return null;
  const known = shift.shape === 'step' && jump.startedAt - Math.max(startedAt, episode.from) < MINUTE_MS;
  return known ? null : symptomSince(facts, metric, jump, outlook);
}

function symptomSince(
  facts: Facts,
  metric: MetricFacts | null,
  shift: Shift | null,
  outlook: Outlook,
): Symptom {
  const startedAt = shift?.startedAt ?? facts.alert?.pendingSince ?? facts.from;
  // A window that somebody chose and that begins in trouble is about that trouble.
  const noticedAt = outlook.noticedAt ?? (startedAt <= facts.from + MINUTE_MS ? facts.from : undefined);
  const episode =
    metric === null || shift === null || noticedAt === undefined
      ? { from: startedAt, to: outlook.to }
      : episodeOf(metric.history, shift, noticedAt, outlook.to);
  return {
    metric,
    shift,
    startedAt,
    outlook,
    episode,
    present: (time) =>
      time >= episode.from &&
      time < episode.to &&
      (metric === null || shift === null || isHigh(metric.history, shift, time)),
  };
}

/** Whether the last value before `time` is closer to the observed value than to the usual one. */
function isHigh(series: Series, shift: Shift, time: number): boolean {
  if (shift.shape === 'ramp') return true;
  const half = shift.baseline.median + shift.delta / 2;
  const nearest = series.values[firstAt(series.times, time + 1) - 1] ?? Number.NaN;
  return Number.isNaN(nearest) || (nearest - half) * shift.delta >= 0;
}

/** Finds the metric by its name in rules, where metrics of containers and processes have a prefix that is not stored. */
function symptomMetric(facts: Facts): MetricFacts | null {
  if (facts.metric === null) return null;
  const { subject } = facts;
  const plain = facts.metric.replace(/^(container|process)\./, '');
  const found = facts.metrics.find(
    (each) =>
      each.subject.kind === subject.kind &&
      (subject.kind === 'host' || each.subject.name === subject.name) &&
      (each.metric === facts.metric || each.metric === plain),
  );
  if (found !== undefined) return found;
  return subject.kind === 'process' ? processMetric(facts, plain) : null;
}

/** A metric of processes is computed from snapshots, the only place where it is stored. */
function processMetric(facts: Facts, metric: string): MetricFacts | null {
  if (facts.snapshotSource === null) return null;
  const history = useSeries(
    facts.snapshots,
    facts.subject.name,
    'processes',
    metric === 'cpu_percent' ? 'cpuPercent' : 'memory',
  );
  return {
    subject: facts.subject,
    metric,
    unit: null,
    history,
    recent: history,
    before: { times: new Float64Array(), values: new Float64Array() },
    source: facts.snapshotSource,
  };
}

/**
 * What all processes or containers of one name used, for each snapshot; 0 if they are missing, since snapshots list those
 * that use most.
 */
export function useSeries(
  snapshots: readonly SnapshotFacts[],
  name: string,
  kind: 'processes' | 'containers',
  field: 'cpuPercent' | 'memory',
): Series {
  const times = Float64Array.from(snapshots, (snapshot) => snapshot.time);
  const values = Float64Array.from(
    snapshots,
    (snapshot) => snapshot[kind].find((use) => use.name === name)?.[field] ?? 0,
  );
  return { times, values };
}
