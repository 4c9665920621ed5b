import { ownDeparture, peerDeparture } from '../departure/departed-metrics.ts';
import { type Departure, ENOUGH_HISTORY, isUsual } from '../departure/departure.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { blameOf } from '../fleet/blame.ts';
import { isCandidate } from '../kinds/finding-kinds.ts';
import {
  classOf,
  isOfClient,
  isOfUnknownClass,
  isPercentage,
  reasonResourceOf,
  worseOf,
} from '../metric-class.ts';
import { firstAt } from '../statistics/slice.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { isLittleKnown } from '../symptom/too-little-history.ts';

/** Detectors whose findings are the symptom, other effects of the trouble, or what one should look at for want of a cause. */
const NEVER_NAMED = ['alerting-metric', 'own-effects', 'host-effects', 'leading-user', 'alike-hosts'];

/** The min number of values since the symptom began by which another host is like it, where little history is known. */
const MIN_ALIKE_VALUES = 10;

/** Whether a finding may be named as the cause: it is a candidate, and neither the symptom nor another effect of the trouble. */
export function isPossibleCause(facts: Facts, finding: FindingDraft): boolean {
  const { service, metric, alert } = facts;
  if (!isCandidate(finding) || NEVER_NAMED.includes(finding.detector)) return false;
  // Nothing that happens on another host makes a host silent.
  if (alert?.noData === true && finding.serviceId !== service.serviceId) return false;
  if (finding.detector === 'suspect-hosts' && (isAsUsual(facts, finding) || isBrieflyAlike(facts, finding)))
    return false;
  // A metric of which the name says nothing may be an effect on that host, too; likeness over minutes does not show that it is none.
  if (finding.detector === 'suspect-hosts' && isLittleKnown(facts) && isOfUnknownClass(finding.metric ?? ''))
    return false;
  // Errors and queues of another host that went with the symptom are effects, as those of the alerting host are.
  if (finding.detector === 'suspect-hosts' && finding.metric !== null && finding.metric !== metric)
    return classOf(finding.metric) !== 'effect' || reasonResourceOf(finding.metric) !== null;
  // What a host waits for as a client is the work of the hosts that it calls.
  if (finding.detector === 'suspect-hosts' && finding.metric !== null && isOfClient(finding.metric))
    return false;
  // A percentage that is nearly full says so by itself; the capacity of a rate is the highest value that is known.
  if (finding.detector === 'saturation' && finding.metric !== null && !isPercentage(finding.metric))
    return !isKnownTooBriefly(facts, finding);
  if (finding.detector === 'host-metrics')
    return !isKnownTooBriefly(facts, finding) && !hasImproved(facts, finding);
  if (finding.detector !== 'own-metrics') return true;
  if (isKnownTooBriefly(facts, finding)) return false;
  const isSymptom = finding.serviceId === service.serviceId && finding.metric === metric;
  return !isSymptom && finding.metric !== null && reasonResourceOf(finding.metric) !== null;
}

/**
 * Whether a host is suspected, or a metric found, by a usual range of so few values that it shows what to look at first and no more. After little
 * history only values from before the window count: later ones may be of the trouble already.
 */
export function isKnownTooBriefly(facts: Facts, finding: FindingDraft): boolean {
  const departure = departureOf(facts, finding);
  if (departure === null) return false;
  const known = isLittleKnown(facts) ? valuesBeforeWindow(facts, finding) : departure.count;
  return Math.min(known, departure.count) < ENOUGH_HISTORY;
}

/** The number of values of the metric of a finding from before the window, in steps or samples as they are known. */
function valuesBeforeWindow(facts: Facts, { serviceId, metric, subject }: FindingDraft): number {
  const peer = facts.peers.find((each) => each.serviceId === serviceId);
  const shown = peer?.metrics.find((each) => each.metric === metric);
  if (shown !== undefined) return firstAt(shown.recent.times, facts.from);
  const own = facts.metrics.find((each) => each.metric === metric && each.subject.kind === subject.kind);
  if (own === undefined) return 0;
  return Math.max(own.before.times.length, firstAt(own.history.times, facts.from));
}

/**
 * Whether another host is suspected by a metric that stayed in its usual range, or whose usual range is not known since little history is: two
 * metrics move alike in any quiet minute.
 */
function isAsUsual(facts: Facts, finding: FindingDraft): boolean {
  const departure = departureOf(facts, finding);
  if (departure !== null && !isKnownTooBriefly(facts, finding)) return isUsual(departure.ranges);
  const suspect = blameOf(facts)?.suspects.find(({ serviceId }) => serviceId === finding.serviceId);
  return suspect?.isShownByHistory === true || isLittleKnown(facts);
}

/** How far the metric of a finding left its history; null with too little of it, and for findings about no metric of a host. */
function departureOf(facts: Facts, { serviceId, metric, subject }: FindingDraft): Departure | null {
  const own = facts.metrics.find((each) => each.metric === metric && each.subject.kind === subject.kind);
  if (serviceId === facts.service.serviceId) return own === undefined ? null : ownDeparture(own, facts);
  const peer = facts.peers.find((each) => each.serviceId === serviceId);
  const shown = peer?.metrics.find((each) => each.metric === metric);
  return shown === undefined ? null : peerDeparture(shown, facts);
}

/**
 * Whether another host is suspected for its likeness to a symptom that is on for a few values only, and little history is known: so few values
 * decide the correlation of all, and any two series that move have them alike by chance.
 */
function isBrieflyAlike(facts: Facts, { serviceId }: FindingDraft): boolean {
  const suspect = blameOf(facts)?.suspects.find((each) => each.serviceId === serviceId);
  if (suspect === undefined || suspect.isShownByHistory || !isLittleKnown(facts)) return false;
  const { times } = suspect.shown.window;
  return times.length - firstAt(times, symptomOf(facts).startedAt) < MIN_ALIKE_VALUES;
}

/** Whether a finding is about fewer errors, less latency or the like of the host: that may come from trouble, but is none. */
function hasImproved(facts: Facts, finding: FindingDraft): boolean {
  const { metric } = finding;
  if (metric === null || classOf(metric) !== 'effect') return false;
  const departure = departureOf(facts, finding);
  return departure !== null && departure.ranges * worseOf(metric) < 0;
}
