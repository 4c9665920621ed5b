import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { seriesPoints } from '../evidence.ts';
import type { Facts, Series } from '../facts.ts';
import { classOf, isCpuLike } from '../metric-class.ts';
import { median } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { type Resource, usesByName } from '../symptom/growth.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { figure, valuesInWords } from '../words/figures.ts';
import { plain, quoted } from '../words/names.ts';
import { explainedBy } from './uses.ts';

const METRICS: Record<Resource, string> = { cpu: 'cpu_percent', memory: 'memory_rss' };
/** The share of all use that one process must have to be listed. */
const MOST = 0.5;
/** A process that explains the symptom this well by its growth is listed for that. */
const EXPLAINED = 0.25;

/**
 * Finds the process that takes more than half of the resource in question while the alert's condition holds, where no growth
 * of a process explains it: with little history, or since it has used so much for longer than is known. It is a lead and
 * never named as the cause.
 */
export const leadingUser: Detector = {
  name: 'leading-user',
  detect(facts) {
    const resource = resourceOf(facts.metric);
    const { snapshotSource: source } = facts;
    if (resource === null || source === null || explainedBy(facts)[resource] > EXPLAINED) return [];
    const leader = leaderOf(facts, resource);
    if (leader === null) return [];
    const { name, series, since, share } = leader;
    const metric = METRICS[resource];
    const noticedAt = noticedAtOf(facts);
    const before = slice(series, Number.NEGATIVE_INFINITY, noticedAt);
    const observed = summaryOf(since, noticedAt, facts.to);
    const baseline =
      before.times.length === 0 ? null : summaryOf(before, before.times[0] as number, noticedAt);
    const what = `${figure(metric, observed.median)} ${resource === 'cpu' ? 'of a CPU' : 'of memory'}`;
    const most = `${Math.round(share * 100)} % of what all processes take`;
    return [
      aboutHost(facts, {
        kind: 'process',
        detector: leadingUser.name,
        title: `Process ${quoted(name)} takes ${what}, ${most}`,
        description:
          baseline === null
            ? 'Nothing is known of it from before the alert.'
            : `Its median was ${figure(metric, baseline.median)} in ${valuesInWords(baseline.count)} before the alert, at most ${figure(metric, baseline.max)}: whether the trouble began with it is not known.`,
        score: share,
        subject: { kind: 'process', name },
        metric,
        baseline,
        observed,
        evidence: [
          {
            ref: `${source.ref}/processes/${plain(name)}/${resource}`,
            query: source.query,
            from: source.from,
            to: source.to,
            stats: { name: plain(name), resource, share_of_use: share, since_median: observed.median },
            points: seriesPoints(series),
          },
        ],
      }),
    ];
  },
};

/** When the condition of the alert began to hold, or the trouble may have begun, ms. */
function noticedAtOf(facts: Facts): number {
  const { noticedAt, doubtFrom } = symptomOf(facts).outlook;
  return noticedAt ?? doubtFrom;
}

function resourceOf(metric: string | null): Resource | null {
  if (metric === null) return null;
  if (isCpuLike(metric)) return 'cpu';
  return classOf(metric) === 'memory' ? 'memory' : null;
}

interface Leader {
  readonly name: string;
  readonly series: Series;
  readonly since: Series;
  /** 0 to 1, of the use of all processes. */
  readonly share: number;
}

function leaderOf(facts: Facts, resource: Resource): Leader | null {
  const noticedAt = noticedAtOf(facts);
  let total = 0;
  let most: Omit<Leader, 'share'> & { readonly use: number } = NOBODY;
  for (const [name, uses] of usesByName(facts.snapshots, 'processes')) {
    const series = uses[resource];
    const since = slice(series, noticedAt, facts.to + 1);
    if (since.times.length === 0) return null;
    const use = median(since.values);
    total += use;
    if (use > most.use) most = { name, series, since, use };
  }
  const share = total > 0 ? most.use / total : 0;
  return share > MOST ? { ...most, share } : null;
}

const NONE: Series = { times: new Float64Array(), values: new Float64Array() };
const NOBODY = { name: '', series: NONE, since: NONE, use: 0 };
