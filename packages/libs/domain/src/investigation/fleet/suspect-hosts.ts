import type { Detector } from '../detector.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { clock, figure, roughly, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { type Blame, blameOf, type SuspectHost } from './blame.ts';
import { comparisonEvidence, observedSummary, traceEvidence, usualSummary } from './fleet-evidence.ts';

const MAX_SUSPECTS = 5;
/** A host with a lower score is not reported. */
const LEAST = 0.05;
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
    return blame.suspects
      .slice(0, MAX_SUSPECTS)
      .filter((suspect) => suspect.blame >= LEAST)
      .map((suspect) => finding(facts, blame, suspect));
  },
};

function finding(facts: Facts, { ranking }: Blame, suspect: SuspectHost): FindingDraft {
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
    description: inWords(facts, ranking.symptom.stepMs, suspect, baseline.median, observed),
    score: MAX_CERTAIN * suspect.blame,
    subject: { kind: 'host', name: host },
    metric,
    baseline,
    observed,
    startedAt: shown.movement.startedAt,
    hosts: [],
    unaffectedHosts: [],
    evidence: [traceEvidence(shown), comparisonEvidence(facts, ranking)],
  };
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
