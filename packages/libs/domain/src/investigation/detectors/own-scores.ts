import { ownDeparture, ownValues, weightOf } from '../departure/departed-metrics.ts';
import { type Departure, rangesWithoutFloor } from '../departure/departure.ts';
import { byKind, explainingMetrics, maxScore } from '../departure/explaining-metrics.ts';
import { mainMetric, rangesOfOwn } from '../departure/main-metric.ts';
import { movingTogether } from '../departure/moving-together.ts';
import { reasonOf } from '../departure/reason.ts';
import type { Facts, MetricFacts } from '../facts.ts';
import { blameOf } from '../fleet/blame.ts';
import { isClock, reasonResourceOf, resourceOf, worseOf } from '../metric-class.ts';
import type { Symptom } from '../symptom/symptom.ts';
import { explainedBy } from './uses.ts';

/** Metrics with a lower score are not reported, and of a host in question only a few of them. */
const LEAST = 0.02;
const MAX_FAINT = 10;
const MAX_FINDINGS = 40;
/** An effect such as latency or a queue comes behind the use of resources by this factor. */
const BEHIND = 0.5;
/** Of a host in question, the share of the distance from the usual median in how far a metric moved; the rest is the departure. */
const LEVEL_SHARE = 0.25;
/** Of a host in question, metrics whose weights differ by a smaller share are as likely to come first. */
const TIED = 0.1;
/** Of a host in question, the place that the metric which went furthest by its own range has at least: the third. */
const FURTHEST_PLACE = 2;

/** A metric of the host with its score, and the name by which the calibration has its weights. */
export interface ScoredMetric {
  readonly metric: MetricFacts;
  readonly departure: Departure;
  readonly score: number;
  /** How many metrics of the host move together with it, itself included; null beside a metric in question. */
  readonly together: number | null;
  readonly detector: 'own-metrics' | 'own-effects' | 'host-metrics';
}

/** Scores the metrics of the host that left their history beside the metric in question, the strongest first. */
export function scoresBesideSymptom(facts: Facts, symptom: Symptom): ScoredMetric[] {
  const left = unexplainedByHosts(facts);
  const explaining = explainingMetrics(facts).get(facts.service.serviceId) ?? [];
  const scored: ScoredMetric[] = [];
  for (const { metric, departure, users } of departuresOf(facts)) {
    if (departure.ranges === 0) continue;
    const reason = explaining.find((each) => each.metric === metric.metric);
    // The finding about the symptom reports an effect that is the symptom itself.
    if (metric === symptom.metric && reason === undefined) continue;
    const isEffect = resourceOf(metric.metric) === null;
    const score =
      reason !== undefined
        ? reason.score * (1 - users)
        : weightOf(Math.abs(departure.ranges)) * left * (isEffect ? BEHIND : 1);
    scored.push({
      metric,
      departure,
      score,
      together: null,
      detector: reason === undefined ? 'own-effects' : 'own-metrics',
    });
  }
  return withMainResourceFirst(scored.filter(({ score }) => score >= LEAST).sort(byScore)).slice(
    0,
    MAX_FINDINGS,
  );
}

/** Gives the main resource of the host the place, and with it the score, of the strongest one; those between take the next places. */
function withMainResourceFirst(scored: readonly ScoredMetric[]): ScoredMetric[] {
  const explaining = scored
    .filter(({ detector }) => detector === 'own-metrics')
    .map((each) => ({ ...each, each, metric: each.metric.metric, values: () => ownValues(each.metric) }));
  const { resources, unknown } = byKind(explaining);
  const main = mainMetric(maxScore(unknown) > maxScore(resources) ? unknown : resources);
  if (main === null) return [...scored];
  const places = explaining.map(({ each }) => each);
  const order = [main.each, ...places.filter((each) => each !== main.each)];
  return scored.map((each) => {
    const place = places.indexOf(each);
    return place === -1 ? each : { ...(order[place] as ScoredMetric), score: each.score };
  });
}

/**
 * Scores the metrics of a host that is in question without any of its metrics: by how far they moved, times how many move
 * together with them. The first has the score of its own distance, so that a cause is not named for company alone. Whatever
 * moved is an answer, but for a resource of which less is used.
 */
export function scoresOfHost(facts: Facts): ScoredMetric[] {
  const moved = departuresOf(facts)
    .map((each) => ({ ...each, distance: distanceOf(each) }))
    .filter(({ distance }) => distance > 0)
    .sort((a, b) => b.distance - a.distance)
    .slice(0, MAX_FINDINGS);
  if (moved.length === 0) return [];
  const together = movingTogether(
    moved.map(({ metric }) => metric),
    facts,
  );
  const weights = moved.map(({ distance }, i) => distance * (together[i] as number));
  const order = orderOf(moved, weights);
  const strength = moved[order[0] as number]?.distance ?? 0;
  const most = Math.max(...weights);
  // A metric has the weight of its place, so that the order of scores is that of the places.
  const ofPlaces = weights.toSorted((a, b) => b - a);
  const scored = order.map((i, place): ScoredMetric => {
    const { metric, departure, users, resource, isWorse } = moved[i] as (typeof moved)[number];
    const company = together[i] as number;
    const score = weightOf((strength * (ofPlaces[place] as number)) / most);
    return resource !== null && !isWorse
      ? { metric, departure, score, together: company, detector: 'own-effects' }
      : { metric, departure, score: score * (1 - users), together: company, detector: 'host-metrics' };
  });
  const faint = scored.filter(({ score }) => score < LEAST).sort(byScore);
  return [...scored.filter(({ score }) => score >= LEAST).sort(byScore), ...faint.slice(0, MAX_FAINT)];
}

/**
 * Orders metrics by their weights; returns their indexes. Of those that are tied for a place, the one that went furthest of its
 * own range takes it, where that range of the heaviest is far below its floor: whatever rises from nothing, as all metrics of an
 * idle disk, is the same ten floors away.
 */
function orderOf(moved: readonly OwnDeparture[], weights: readonly number[]): number[] {
  const own = moved.map(({ metric, departure }) => rangesWithoutFloor(departure, metric.history.values));
  const left = moved.map((_, i) => i).sort((a, b) => (weights[b] as number) - (weights[a] as number));
  const order: number[] = [];
  while (left.length > 0) {
    const first = left[0] as number;
    const least = (1 - TIED) * (weights[first] as number);
    let taken = first;
    if (own[first] !== null)
      for (const i of left)
        if ((weights[i] as number) >= least && Math.abs(own[i] ?? 0) > Math.abs(own[taken] ?? 0)) taken = i;
    left.splice(left.indexOf(taken), 1);
    order.push(taken);
  }
  return withFurthest(order, moved);
}

/**
 * The order in which the metric that went furthest by its own usual range, without a floor, has the third place at least: what moves alone, and
 * what moves by little where nothing ever moved, is missed by distance and company.
 */
function withFurthest(order: readonly number[], moved: readonly OwnDeparture[]): number[] {
  const distances = moved.map(({ metric, departure }) =>
    rangesOfOwn({ departure, values: () => metric.history.values }),
  );
  const furthest = distances.indexOf(Math.max(...distances));
  if (order.indexOf(furthest) <= FURTHEST_PLACE) return [...order];
  return order.filter((i) => i !== furthest).toSpliced(FURTHEST_PLACE, 0, furthest);
}

interface OwnDeparture {
  readonly metric: MetricFacts;
  readonly departure: Departure;
  readonly resource: ReturnType<typeof reasonResourceOf>;
  /** Whether it moved in the direction in which it gets worse, as far as its name says which that is. */
  readonly isWorse: boolean;
  /** The share, 0 to 1, of its use that processes and containers explain. */
  readonly users: number;
}

function departuresOf(facts: Facts): OwnDeparture[] {
  const explained = explainedBy(facts);
  return facts.metrics.flatMap((metric) => {
    if (metric.subject.kind !== 'host' || isClock(metric.metric)) return [];
    const departure = ownDeparture(metric, facts);
    if (departure === null) return [];
    const resource = reasonResourceOf(metric.metric);
    const users = resource === 'cpu' || resource === 'memory' ? explained[resource] : 0;
    const isWorse =
      departure.ranges === 0 ? departure.level * worseOf(metric.metric) >= 0 : departure.worse > 0;
    return [{ metric, departure, resource, isWorse, users }];
  });
}

/** How far a metric moved, in widths of its usual range: mostly how far it left it, and a little how far from its median. */
function distanceOf({ departure, resource, isWorse }: OwnDeparture): number {
  const left = resource !== null && isWorse ? departure.worse : Math.abs(departure.ranges);
  return (1 - LEVEL_SHARE) * left + LEVEL_SHARE * Math.abs(departure.level);
}

function byScore(a: ScoredMetric, b: ScoredMetric): number {
  return b.score - a.score;
}

/** The share, 0 to 1, that neither a resource of any host nor a host like the symptom explains. */
function unexplainedByHosts(facts: Facts): number {
  const blame = blameOf(facts);
  if (blame === null) return 1 - (reasonOf(facts.service.serviceId, facts)?.score ?? 0);
  const alike = Math.max(0, ...blame.suspects.map(({ likeness }) => likeness));
  return blame.ranking.unreasoned * (1 - alike);
}
