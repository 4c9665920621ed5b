import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { seriesPoints } from '../evidence.ts';
import type { Facts, Series, Source } from '../facts.ts';
import type { EvidenceDraft, FindingDraft } from '../finding.ts';
import { fitLine } from '../statistics/line.ts';
import { slice } from '../statistics/slice.ts';
import {
  type Explained,
  explain,
  type Growth,
  growthOf,
  type Resource,
  usesByName,
} from '../symptom/growth.ts';
import { type Symptom, suddenSymptomOf, symptomOf } from '../symptom/symptom.ts';
import { clock, figure, isoTime, span, valuesInWords } from '../words/figures.ts';
import { plain, quoted } from '../words/names.ts';

const LEAST = 0.02;
const MAX_FINDINGS = 6;
/** How much less growth before a sudden jump of the metric counts if the jump explains the whole rise (0 to 1). */
const JUMP_EXPLAINS = 0.6;
const METRICS = {
  process: { cpu: 'cpu_percent', memory: 'memory_rss' },
  container: { cpu: 'cpu_percent', memory: 'memory_usage' },
} as const;

type Kind = 'process' | 'container';
interface User {
  readonly growth: Growth;
  readonly source: Source;
}

/**
 * Finds processes that appeared or whose use of processor or memory grew since the hour before the symptom (`growthOf`). A
 * process is a probable cause if its growth explains that of the metric (`explain`). A metric that moved before its last
 * jump is examined twice, the second time from that jump on.
 */
export const processes: Detector = {
  name: 'processes',
  detect: (facts) => findingsOf(facts, 'process', (symptom) => snapshotUsers(facts, symptom, 'processes')),
};

/** Finds containers whose use has grown, by their own metrics where those are stored and by snapshots otherwise. */
export const containers: Detector = {
  name: 'containers',
  detect: (facts) =>
    findingsOf(facts, 'container', (symptom) => {
      const users = metricUsers(facts, symptom);
      const known = new Set(users.map(({ growth }) => growth.name));
      return [
        ...users,
        ...snapshotUsers(facts, symptom, 'containers').filter(({ growth }) => !known.has(growth.name)),
      ];
    }),
};

/**
 * How well a process or a container explains that the host uses more of a resource, 0 to 1; cached, since facts do not
 * change.
 */
export function explainedBy(facts: Facts): Readonly<Record<Resource, number>> {
  const known = explanations.get(facts);
  if (known !== undefined) return known;
  const found = [...processes.detect(facts), ...containers.detect(facts)];
  const most = (metrics: readonly string[]) =>
    Math.max(0, ...found.map(({ metric, score }) => (metrics.includes(metric ?? '') ? score : 0)));
  const explained = {
    cpu: most([METRICS.process.cpu, METRICS.container.cpu]),
    memory: most([METRICS.process.memory, METRICS.container.memory]),
  };
  explanations.set(facts, explained);
  return explained;
}

const explanations = new WeakMap<Facts, Readonly<Record<Resource, number>>>();

interface Suspect {
  readonly use: Explained;
  readonly source: Source;
  readonly symptom: Symptom;
}

function findingsOf(facts: Facts, kind: Kind, usersFor: (symptom: Symptom) => User[]): FindingDraft[] {
  const best = new Map<string, Suspect>();
  const whole = symptomOf(facts);
  const sudden = suddenSymptomOf(facts);
  const explained = Math.min(1, Math.abs((sudden?.shift?.delta ?? 0) / (whole.shift?.delta ?? 1)));
  for (const [symptom, weight] of [
    [whole, 1 - JUMP_EXPLAINS * explained],
    [sudden, 1],
  ] as const) {
    if (symptom === null) continue;
    for (const suspect of suspectsOf(symptom, usersFor(symptom), weight)) {
      const other = best.get(suspect.use.name);
      if (suspect.use.score > (other?.use.score ?? 0)) best.set(suspect.use.name, suspect);
    }
  }
  return [...best.values()]
    .sort((a, b) => b.use.score - a.use.score)
    .slice(0, MAX_FINDINGS)
    .map(({ use, source, symptom }) => finding(facts, kind, use, source, symptom));
}

function suspectsOf(symptom: Symptom, users: readonly User[], weight: number): Suspect[] {
  const explained = explain(
    users.map(({ growth }) => growth),
    symptom,
  );
  return explained.flatMap((use, nth) => {
    const source = users[nth]?.source;
    const score = use.score * weight;
    return source === undefined || score < LEAST ? [] : [{ use: { ...use, score }, source, symptom }];
  });
}

function snapshotUsers(facts: Facts, symptom: Symptom, kind: 'processes' | 'containers'): User[] {
  const { snapshotSource: source } = facts;
  if (source === null) return [];
  const users: User[] = [];
  for (const [name, series] of usesByName(facts.snapshots, kind)) {
    for (const resource of ['cpu', 'memory'] as const) {
      const growth = growthOf(name, resource, series[resource], symptom);
      const ref = `${source.ref}/${kind}/${plain(name)}/${resource}`;
      if (growth !== null) users.push({ growth, source: { ...source, ref } });
    }
  }
  return users;
}

function metricUsers(facts: Facts, symptom: Symptom): User[] {
  const users: User[] = [];
  for (const { subject, metric, history, source } of facts.metrics) {
    if (subject.kind !== 'container') continue;
    const resource =
      metric === METRICS.container.cpu ? 'cpu' : metric === METRICS.container.memory ? 'memory' : null;
    if (resource === null) continue;
    const growth = growthOf(subject.name, resource, history, symptom);
    if (growth !== null) users.push({ growth, source });
  }
  return users;
}

function finding(facts: Facts, kind: Kind, use: Explained, source: Source, symptom: Symptom): FindingDraft {
  const metric = METRICS[kind][use.resource];
  return aboutHost(facts, {
    kind,
    detector: kind === 'process' ? 'processes' : 'containers',
    title: titleOf(facts, kind, use, metric),
    description: descriptionOf(facts, use, metric, symptom),
    score: use.score,
    subject: { kind, name: use.name },
    metric,
    baseline: use.before,
    observed: use.after,
    startedAt: use.startedAt,
    evidence: [evidenceOf(use, source, facts.to)],
  });
}

const WORDS: Record<Resource, string> = { cpu: 'CPU', memory: 'memory' };

function titleOf(facts: Facts, kind: Kind, use: Explained, metric: string): string {
  const who = `${kind === 'process' ? 'Process' : 'Container'} ${quoted(use.name)}`;
  const what = `${figure(metric, use.after.median)} ${use.resource === 'cpu' ? 'of a CPU' : 'of memory'}`;
  if (use.appeared && use.startedAt !== null)
    return `${who} appeared at ${clock(use.startedAt, facts.to)} and takes ${what}`;
  return `${who} takes ${what}, ${use.delta >= 0 ? 'up' : 'down'} from ${figure(metric, use.before.median)}`;
}

function descriptionOf(facts: Facts, use: Explained, metric: string, symptom: Symptom): string {
  const { before, after } = use;
  const sentences = [
    use.appeared
      ? `It was in none of the ${before.count} snapshots before; its median in ${after.count} since is ${figure(metric, after.median)} (at most ${figure(metric, after.max)}).`
      : `Its median went from ${figure(metric, before.median)} (${valuesInWords(before.count)} before) to ${figure(metric, after.median)} (${after.count} since).`,
  ];
  if (use.delta > 0)
    sentences.push(
      `It accounts for ${Math.round(use.share * 100)} % of all increases in ${WORDS[use.resource]} use.`,
    );
  if (use.correlation !== null && symptom.metric !== null)
    sentences.push(`Its correlation with ${plain(symptom.metric.metric)} is ${use.correlation.toFixed(2)}.`);
  const climb =
    use.resource === 'memory'
      ? fitLine(slice(use.series, use.startedAt ?? symptom.startedAt, facts.to))
      : null;
  if (climb !== null && climb.fit > 0.8 && climb.slope > 0)
    sentences.push(`It grows by ${figure(metric, climb.slope * HOUR_MS)} an hour.`);
  if (use.startedAt !== null && !use.appeared)
    sentences.push(
      `Half of the change was reached at ${clock(use.startedAt, facts.to)}, ${span(facts.to - use.startedAt)} before the end of the window.`,
    );
  return sentences.join(' ');
}

function evidenceOf(use: Explained, source: Source, to: number): EvidenceDraft {
  const shown: Series = slice(use.series, to - 4 * HOUR_MS, to);
  return {
    ref: source.ref,
    query: source.query,
    from: source.from,
    to: source.to,
    stats: {
      name: plain(use.name),
      resource: use.resource,
      before_median: use.before.median,
      before_count: use.before.count,
      since_median: use.after.median,
      since_count: use.after.count,
      difference: use.delta,
      spreads: use.z,
      share_of_growth: use.share,
      correlation: use.correlation,
      started_at: use.startedAt === null ? null : isoTime(use.startedAt),
    },
    points: seriesPoints(shown),
  };
}
