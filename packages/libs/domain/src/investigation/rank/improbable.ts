import { departedMetrics } from '../departure/departed-metrics.ts';
import { rangesOfOwn } from '../departure/main-metric.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { isAlone } from '../fleet/alone.ts';

/** Findings with a lower probability are no suspects: how much lower it is says nothing. */
const IMPROBABLE = 0.01;

/**
 * Orders the findings that are improbable as causes by how far their host went from its history, by the own usual range of the metric of it
 * that went furthest: where nothing explains the trouble, that is what there is to look at. Findings of one host keep their order, and those
 * about a process, a container or a tag, which say more than that a host moved, stay before them. So do those of the alerting host where no other
 * host can have passed on its symptom (`isAlone`).
 * @param findings most probable first
 * @returns the findings with the scores of their places
 */
export function improbableByDistance(findings: readonly FindingDraft[], facts: Facts): FindingDraft[] {
  const departed = departedMetrics(facts);
  const alone = isAlone(facts) ? facts.service.serviceId : null;
  const distances = new Map<string, number>();
  const distanceOf = ({ serviceId, subject }: FindingDraft) => {
    if (subject.kind !== 'host' || serviceId === alone) return Number.POSITIVE_INFINITY;
    const known = distances.get(serviceId);
    if (known !== undefined) return known;
    const distance = Math.max(0, ...(departed.get(serviceId) ?? []).map(rangesOfOwn));
    distances.set(serviceId, distance);
    return distance;
  };
  const probable = findings.filter(({ score }) => score >= IMPROBABLE);
  const others = findings
    .slice(probable.length)
    .map((finding) => ({ finding, distance: distanceOf(finding) }))
    .sort((a, b) => (a.distance === b.distance ? 0 : b.distance - a.distance));
  return [...probable, ...others.map(({ finding }) => finding)].map((finding, place) => ({
    ...finding,
    score: (findings[place] as FindingDraft).score,
  }));
}
