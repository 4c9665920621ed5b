import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, Series } from '@tidewatch/domain/investigation/facts';
import { investigate } from '@tidewatch/domain/investigation/investigate';
import { usesByName } from '@tidewatch/domain/investigation/symptom/growth';
import { symptomOf } from '@tidewatch/domain/investigation/symptom/symptom';
import type { Kind } from '../incident.ts';
import { badDeploy } from '../kinds/bad-deploy.ts';
import { containerCrashes } from '../kinds/container-crashes.ts';
import { containerLeaksMemory } from '../kinds/container-leaks-memory.ts';
import { cronSpike } from '../kinds/cron-spike.ts';
import { diskFills } from '../kinds/disk-fills.ts';
import { missingData } from '../kinds/missing-data.ts';
import { networkSaturation } from '../kinds/network-saturation.ts';
import { processEatsCpu } from '../kinds/process-eats-cpu.ts';
import { SEED_SETS } from '../settings.ts';
import { chart } from './chart.ts';

const COLORS = ['#2a6fb0', '#d9822b', '#3c9d4e', '#8552a1'] as const;

/** A picture for each detector, of an incident made for that purpose. */
export const DETECTOR_PICTURES: Readonly<Record<string, () => string>> = {
  'alerting-metric': () => shiftPicture(factsOf(processEatsCpu, 10_000)),
  processes: () => usePicture(factsOf(processEatsCpu, 10_000), 'processes'),
  containers: () => containerPicture(factsOf(containerLeaksMemory, 60_000)),
  saturation: () => forecastPicture(factsOf(diskFills, 60_000)),
  restarts: () => shiftPicture(factsOf(containerCrashes, 10_000), 'container_restarted'),
  changes: () => shiftPicture(factsOf(badDeploy, 10_000), 'change'),
  'own-metrics': () => orderPicture(factsOf(networkSaturation, 10_000)),
  'data-gaps': () => gapPicture(factsOf(missingData, 10_000)),
  recurrence: () => recurrencePicture(factsOf(cronSpike, 60_000)),
};

function factsOf(kind: Kind, intervalMs: number): Facts {
  return kind.make({ seed: SEED_SETS.dev + 77, noise: 1, intervalMs, delayMs: 60_000 }).facts;
}

function symptomMetric(facts: Facts): MetricFacts {
  const { metric } = symptomOf(facts);
  if (metric === null) throw new Error('nothing to draw');
  return metric;
}

function line(metric: MetricFacts, nth = 0, name = metric.metric) {
  return { name, series: metric.history, color: COLORS[nth % COLORS.length] ?? '#333' };
}

/** Draws the symptom with its usual level, its onset, and the timeline entries of one kind. */
function shiftPicture(facts: Facts, also?: string): string {
  const { shift } = symptomOf(facts);
  const metric = symptomMetric(facts);
  const others = investigate(facts)
    .timeline.filter(({ type }) => type === also)
    .slice(0, 1);
  return chart({
    title: `${metric.metric}: its usual level, and since when it stands elsewhere`,
    lines: [line(metric)],
    from: facts.to - 2 * HOUR_MS,
    to: facts.to,
    levels: shift === null ? [] : [{ value: shift.baseline.median, name: 'usual median' }],
    marks: [
      ...(shift === null ? [] : [{ at: shift.startedAt, name: 'onset' }]),
      ...(facts.alert === null ? [] : [{ at: facts.alert.firedAt, name: 'fired' }]),
      ...others.map(({ at }) => ({ at, name: also === 'change' ? 'deploy' : 'restart' })),
    ],
  });
}

function usePicture(facts: Facts, kind: 'processes' | 'containers'): string {
  const uses = [...usesByName(facts.snapshots, kind)]
    .map(([name, { cpu }]) => ({ name, cpu, last: cpu.values.at(-1) ?? 0 }))
    .sort((a, b) => b.last - a.last)
    .slice(0, 4);
  return chart({
    title: `CPU of the busiest ${kind} in percent of one processor, snapshot by snapshot`,
    lines: uses.map(({ name, cpu }, nth) => ({ name, series: cpu, color: COLORS[nth] ?? '#333' })),
    from: facts.to - 1.5 * HOUR_MS,
    to: facts.to,
    marks: [{ at: symptomOf(facts).startedAt, name: 'onset of the symptom' }],
  });
}

function containerPicture(facts: Facts): string {
  const containers = facts.metrics
    .filter(({ subject, metric }) => subject.kind === 'container' && metric === 'memory_usage')
    .sort((a, b) => (b.history.values.at(-1) ?? 0) - (a.history.values.at(-1) ?? 0))
    .slice(0, 4);
  return chart({
    title: 'Memory of containers in bytes',
    lines: containers.map((metric, nth) => line(metric, nth, metric.subject.name)),
    from: facts.to - 3 * HOUR_MS,
    to: facts.to,
    marks: [{ at: symptomOf(facts).startedAt, name: 'the host climbs from here' }],
  });
}

/** Draws the use of a disk with the line that predicts when the disk will be full. */
function forecastPicture(facts: Facts): string {
  const finding = investigate(facts).findings.find(
    ({ kind, metric }) => kind === 'saturation' && metric === 'disk_percent',
  );
  const metric = symptomMetric(facts);
  const stats = finding?.evidence[0]?.stats;
  const fullAt = typeof stats?.['full_at'] === 'string' ? Date.parse(stats['full_at']) : facts.to;
  const slope = Number(stats?.['slope_per_hour'] ?? 0) / HOUR_MS;
  const to = Math.min(fullAt, facts.to + 4 * HOUR_MS);
  const from = Math.max(finding?.startedAt ?? 0, facts.to - 3 * HOUR_MS);
  const forecast: Series = {
    times: Float64Array.of(from, to),
    values: Float64Array.of(100 - slope * (fullAt - from), 100 - slope * (fullAt - to)),
  };
  return chart({
    title: 'disk_percent and its line of least squares, until the disk is full',
    lines: [line(metric), { name: 'line', series: forecast, color: '#c33', dashed: true }],
    from: facts.to - 3 * HOUR_MS,
    to,
    levels: [{ value: 100, name: 'full' }],
    marks: [{ at: facts.to, name: 'asked' }],
  });
}

/** Draws metrics of different units as shares of their maximum, with their onsets. */
function orderPicture(facts: Facts): string {
  const findings = investigate(facts).findings.filter(
    ({ kind, metric, host }) => metric !== null && host === facts.service.host && kind !== 'peer_hosts',
  );
  const names = [...new Set(findings.map(({ metric }) => metric))].slice(0, 4);
  const chosen = names.flatMap(
    (name) => facts.metrics.find(({ metric, subject }) => metric === name && subject.kind === 'host') ?? [],
  );
  const relative = (metric: MetricFacts): Series => {
    const most = Math.max(...metric.recent.values);
    return { times: metric.recent.times, values: metric.recent.values.map((value) => value / most) };
  };
  return chart({
    title: 'Metrics that moved, each as a share of its highest value, and their onsets',
    lines: chosen.map((metric, nth) => ({
      name: metric.metric,
      series: relative(metric),
      color: COLORS[nth] ?? '#333',
    })),
    from: facts.to - 0.4 * HOUR_MS,
    to: facts.to,
    marks: chosen.flatMap((metric) => {
      const at = findings.find((finding) => finding.metric === metric.metric)?.startedAt;
      return at === null || at === undefined ? [] : [{ at, name: metric.metric }];
    }),
  });
}

function gapPicture(facts: Facts): string {
  const last = facts.payloadTimes.at(-1) ?? facts.to;
  return chart({
    title: 'A host that falls silent',
    lines: [line(symptomMetric(facts))],
    from: facts.to - HOUR_MS / 2,
    to: facts.to,
    bands: [{ from: last, to: facts.to, name: 'nothing was sent' }],
  });
}

function recurrencePicture(facts: Facts): string {
  const metric = symptomMetric(facts);
  return chart({
    title: 'cpu_percent and the earlier alerts of the same rule',
    lines: [line(metric)],
    from: facts.historyFrom,
    to: facts.to,
    marks: facts.past
      .filter(({ firedAt }) => firedAt > facts.historyFrom)
      .map(({ firedAt }) => ({ at: firedAt, name: 'fired' })),
  });
}
