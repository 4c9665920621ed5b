import { departedMetrics, weightOf } from '../departure/departed-metrics.ts';
import { rangesOfOwn } from '../departure/main-metric.ts';
import type { Detector } from '../detector.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { classOf } from '../metric-class.ts';
import { clock, figure, roughly, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { type Blame, blameOf, type SuspectHost } from './blame.ts';
import { comparisonEvidence, observedSummary, traceEvidence, usualSummary } from './fleet-evidence.ts';

const MAX_SUSPECTS = 5;
/** Of more hosts that cannot be distinguished the first are named in the description. */
const MAX_NAMES = 4;
/** Of more hosts that cannot be distinguished the first are listed. */
const MAX_TIED = 20;
/** A host with a lower score is not suspected. */
const LEAST = 0.05;
/** A host that is not suspected is listed all the same if a metric of it left its history by so many of its own usual ranges. */
const DEPARTED = 1;
/** So many of these hosts are listed beside any number of suspects. */
const MIN_EFFECTS = 3;
/** Where no host is suspected, hosts are listed of which a metric is this much like the symptom. */
const ALIKE = 0.5;
const MAX_ALIKE = 3;
/** Scores stay below this so that no cause looks certain and the best hosts keep their order. */
const MAX_CERTAIN = 0.98;

/**
 * Makes a finding for each other host that may be the cause: a resource of it left its usual range, or it moved together
 * with the symptom and more than usual (`rankHosts`), after the part that its group has in common was subtracted (`blameOf`).
 */
export const suspectHosts: Detector = {
  name: 'suspect-hosts',
  detect(facts) {
    const blame = blameOf(facts);
    if (blame === null) return [];
    const suspects = blame.suspects.filter((suspect) => suspect.blame >= LEAST);
    const tied = tiedWithFirst(suspects, blame);
    const found = suspects
      .slice(0, MAX_SUSPECTS)
      .map((suspect) => finding(facts, blame, suspect, tied.includes(suspect) ? tied : []));
    const effects = departed(blame.suspects, facts)
      .slice(0, Math.max(MIN_EFFECTS, MAX_SUSPECTS - found.length))
      .map((host) => ({ ...finding(facts, blame, host, []), detector: 'host-effects' }));
    const travels = classOf(blame.ranking.symptom.facts.metric) === 'effect';
    const alike = alikeOnly(blame.suspects)
      .slice(0, travels && found.length === 0 ? MAX_ALIKE : 0)
      .map((host) => ({ ...finding(facts, blame, host, []), detector: 'alike-hosts' }));
    return [...found, ...effects, ...alike];
  },
};

/**
 * Hosts that neither a resource nor likeness makes suspect, but of which some metric left its history, the furthest first: where the symptom
 * shows nothing, they are what there is to look at. They have less blame than any suspect, and are never named.
 */
function departed(hosts: readonly SuspectHost[], facts: Facts): SuspectHost[] {
  const all = departedMetrics(facts);
  return hosts
    .flatMap((host) => {
      if (host.blame >= LEAST || host.departed === null) return [];
      const distance = Math.max(...(all.get(host.serviceId) ?? []).map(rangesOfOwn));
      if (distance < DEPARTED) return [];
      return [
        { ...host, shown: host.departed.trace, isShownByHistory: true, blame: LEAST * weightOf(distance) },
      ];
    })
    .sort((a, b) => b.blame - a.blame);
}

/**
 * Hosts of which nothing left its history, but of which a metric goes with a symptom such as latency, most alike first: trouble that
 * travels between hosts and is on for longer than is known shows in nothing else. They are leads, and never named.
 */
function alikeOnly(hosts: readonly SuspectHost[]): SuspectHost[] {
  return hosts
    .filter(({ departed, best }) => (departed?.score ?? 0) < weightOf(DEPARTED) && best.together >= ALIKE)
    .map((host) => ({ ...host, shown: host.best, isShownByHistory: false, blame: host.best.together }))
    .sort((a, b) => b.blame - a.blame);
}

/**
 * The suspects whose blame differs from that of the first by no more than the errors of both, the first included; none
 * where that is the first alone.
 */
function tiedWithFirst(suspects: readonly SuspectHost[], { ranking }: Blame): readonly SuspectHost[] {
  const [first] = suspects;
  if (first === undefined) return [];
  const { symptom, unreasoned } = ranking;
  const errorOf = ({ shown, isShownByHistory }: SuspectHost) =>
    isShownByHistory ? 0 : shown.error * shown.movement.strength * symptom.evident * unreasoned;
  const tied = suspects.filter(
    (suspect) => first.blame - suspect.blame <= Math.hypot(errorOf(first), errorOf(suspect)),
  );
  return tied.length > 1 ? tied.slice(0, MAX_TIED) : [];
}

function finding(
  facts: Facts,
  { ranking }: Blame,
  suspect: SuspectHost,
  tied: readonly SuspectHost[],
): FindingDraft {
  const { shown, isShownByHistory, host, serviceId } = suspect;
  const baseline = usualSummary(shown, facts.from);
  const observed = observedSummary(shown, facts.to);
  const { metric } = shown.facts;
  const symptom = plain(ranking.symptom.facts.metric);
  const together = `moved together with ${symptom} of ${plain(facts.service.host)}`;
  const same = metric === ranking.symptom.facts.metric;
  return {
    serviceId,
    host,
    kind: same ? 'metric_shift' : 'correlated_metric',
    detector: suspectHosts.name,
    title: `${plain(metric)} of ${plain(host)} ${isShownByHistory ? 'left its usual range' : together}`,
    description: [
      inWords(facts, ranking.symptom.stepMs, suspect, baseline.median, observed),
      ...tiedInWords(tied.filter((other) => other !== suspect)),
    ].join(' '),
    score: MAX_CERTAIN * suspect.blame,
    subject: { kind: 'host', name: host },
    metric,
    baseline,
    observed,
    startedAt: shown.movement.startedAt,
    hosts: tied.map((each) => ({
      serviceId: each.serviceId,
      host: each.host,
      score: MAX_CERTAIN * each.blame,
      metric: each.shown.facts.metric,
      startedAt: each.shown.movement.startedAt,
    })),
    unaffectedHosts: [],
    evidence: [traceEvidence(shown), comparisonEvidence(facts, ranking)],
  };
}

function tiedInWords(others: readonly SuspectHost[]): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, MAX_NAMES).map(({ host }) => plain(host));
  const rest = others.length - names.length;
  return [
    `It cannot be distinguished from ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}, whose scores lie within the error of this comparison.`,
  ];
}

function inWords(
  facts: Facts,
  stepMs: number,
  { shown: best }: SuspectHost,
  usual: number,
  observed: { readonly min: number; readonly max: number },
): string {
  const { metric } = best.facts;
  const { movement, correlation, compared } = best;
  const since = movement.startedAt === null ? '' : ` since ${clock(movement.startedAt, facts.to)}`;
  const range = `It usually lies around ${figure(metric, usual)}; it was ${figure(metric, observed.min)} to ${figure(metric, observed.max)}${since}.`;
  const likeness = `Its correlation with the symptom is ${correlation.toFixed(2)} over ${compared} values, in steps of ${span(stepMs)}.`;
  const size = movement.flat
    ? 'It hardly ever moves otherwise.'
    : `It swung ${roughly(1 + movement.excess)} times as much as usual.`;
  return `${range} ${likeness} ${size}`;
}
