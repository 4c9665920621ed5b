import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { tableEvidence } from '../evidence.ts';
import type { ChangeFacts, Facts, Subject } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { clock, isoTime, span } from '../words/figures.ts';
import { plain, quoted } from '../words/names.ts';

/** Changes earlier than this before the start of the trouble are ignored. */
const MEMORY_MS = 2 * 60 * MINUTE_MS;
const MAX_FINDINGS = 5;

/**
 * Finds deploy markers, changed tags and changed rules from before the trouble began; the closer to that start, the higher
 * the score. A change after it cannot be the cause, except within one sampling interval. A rule that changed may be why an alert
 * fired, and not why its metric did: it counts by what the metric leaves to explain.
 */
export const changes: Detector = {
  name: 'changes',
  detect(facts) {
    const { startedAt, shift } = symptomOf(facts);
    const unexplained = 1 - (shift?.score ?? 0);
    return facts.changes
      .filter(
        ({ at }) => at > startedAt - MEMORY_MS && at <= startedAt + Math.max(MINUTE_MS, 2 * facts.intervalMs),
      )
      .map((change) => finding(facts, change, startedAt, change.kind === 'rule' ? unexplained : 1))
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_FINDINGS);
  },
};

const WEIGHTS: Record<ChangeFacts['kind'], number> = { marker: 0.7, tag: 0.7, rule: 0.3 };

/** @param share the share of its score, 0 to 1, that the change keeps */
function finding(facts: Facts, change: ChangeFacts, startedAt: number, share: number): FindingDraft {
  const ahead = Math.max(0, startedAt - change.at);
  const mine =
    change.hosts.length === 0 || change.hosts.some(({ serviceId }) => serviceId === facts.service.serviceId);
  const tags = Object.entries(change.tags);
  const rows = tags.map(([name, value]) => ({
    t: isoTime(change.at),
    tag: plain(name),
    value: plain(value),
  }));
  return aboutHost(facts, {
    kind: 'change',
    detector: 'changes',
    title: `${titleOf(change, mine)} at ${clock(change.at, facts.to)}`,
    description: `That was ${span(ahead)} before the trouble began, and concerns ${change.hosts.length === 0 ? 'no host by name' : `${change.hosts.length} host${change.hosts.length === 1 ? '' : 's'}`}${mine ? '' : ', not this one'}.`,
    score: share * WEIGHTS[change.kind] * Math.exp(-ahead / (20 * MINUTE_MS)) * (mine ? 1 : 0.2),
    subject: subjectOf(change, facts),
    startedAt: change.at,
    hosts: change.hosts
      .slice(0, 50)
      .map((each) => ({ ...each, score: 0, metric: null, startedAt: change.at })),
    evidence: [
      tableEvidence(
        change.source,
        '',
        { kind: change.kind, at: isoTime(change.at), title: plain(change.title), hosts: change.hosts.length },
        rows.length > 0 ? rows : [{ t: isoTime(change.at), tag: null, value: null }],
      ),
    ],
  });
}

function titleOf({ kind, title, hosts }: ChangeFacts, isOfThisHost: boolean): string {
  if (kind === 'marker') return `Marker ${quoted(title)}`;
  if (kind === 'rule') return `A rule changed: ${quoted(title)}`;
  if (isOfThisHost || hosts[0] === undefined) return `Tags changed: ${quoted(title)}`;
  const others = hosts.length === 1 ? plain(hosts[0].host) : `${hosts.length} other hosts`;
  return `Tags of ${others} changed: ${quoted(title)}`;
}

/** The subject of a deployment is the first of its tags that names one; the subject of a changed rule is the host. */
function subjectOf(change: ChangeFacts, facts: Facts): Subject {
  const [first] = Object.entries(change.tags);
  if (change.kind === 'rule' || first === undefined) return { kind: 'host', name: facts.service.host };
  return { kind: 'tag', name: `${first[0]}=${first[1]}` };
}
