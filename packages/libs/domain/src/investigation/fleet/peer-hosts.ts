import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import type { Facts } from '../facts.ts';
import { plain } from '../words/names.ts';
import { isUsualKnown } from './affected.ts';
import { type Blame, blameOf, type SuspectHost } from './blame.ts';
import { comparisonEvidence } from './fleet-evidence.ts';

const MAX_LISTED = 20;
/** The score of this finding; low because it lists affected and unaffected hosts and does not name a cause. */
const SCORE = 0.05;

/**
 * Reports whether the trouble is isolated or shared: which other hosts moved with the symptom, most suspicious first, and
 * which did not. Says how many of the hosts with the same tags moved, since these should behave alike.
 */
export const peerHosts: Detector = {
  name: 'peer-hosts',
  detect(facts) {
    const blame = blameOf(facts);
    if (blame === null || blame.ranking.hosts.length === 0) return [];
    if (blame.affected.moved.length + blame.affected.calm.length === 0) return [];
    const { affected, suspects, ranking } = blame;
    const moved = suspects.filter(({ serviceId }) =>
      affected.moved.some((host) => host.serviceId === serviceId),
    );
    return [
      aboutHost(facts, {
        kind: 'peer_hosts',
        detector: 'peer-hosts',
        title: titleOf(facts, moved.length, blame),
        description: inWords(facts, moved, blame),
        score: SCORE,
        subject: { kind: 'host', name: facts.service.host },
        metric: ranking.symptom.facts.metric,
        startedAt: ranking.symptom.movement.startedAt,
        hosts: moved.slice(0, MAX_LISTED).map(({ serviceId, host, blame: score, best }) => ({
          serviceId,
          host,
          score,
          metric: best.facts.metric,
          startedAt: best.movement.startedAt,
        })),
        unaffectedHosts: affected.calm.map(({ serviceId, host }) => ({ serviceId, host })),
        evidence: [comparisonEvidence(facts, ranking)],
      }),
    ];
  },
};

function titleOf(facts: Facts, moved: number, { ranking }: Blame): string {
  const host = plain(facts.service.host);
  const metric = plain(ranking.symptom.facts.metric);
  const all = ranking.hosts.length - newHosts(ranking);
  if (moved === 0)
    return `Only ${host} is affected: none of ${all} other ${hosts(all)} moved with its ${metric}`;
  return `${moved} of ${all} other ${hosts(all)} moved with ${metric} of ${host}`;
}

function inWords(facts: Facts, moved: readonly SuspectHost[], { affected, ranking }: Blame): string {
  const alike = ranking.hosts.filter(({ peer }) => sameTags(peer.tags, facts.service.tags));
  const alikeMoved = moved.filter(({ peer }) => sameTags(peer.tags, facts.service.tags));
  const onset = ranking.symptom.movement.startedAt;
  const ahead = moved.filter(({ best }) => {
    const own = best.movement.startedAt;
    return own !== null && onset !== null && own < onset;
  });
  const unknown = newHosts(ranking);
  const sentences = [
    `${affected.calm.length} of ${ranking.hosts.length} compared ${hosts(ranking.hosts.length)} did not move.`,
    alike.length === 0 ? '' : `Of ${alike.length} with the same tags, ${alikeMoved.length} moved.`,
    ahead.length === 0
      ? ''
      : `${ahead.length} of those that moved did so before ${plain(facts.service.host)}.`,
    unknown === 0 ? '' : `Too little history is known of ${unknown} of them to say so.`,
    facts.peersLeftOut === 0
      ? ''
      : `${facts.peersLeftOut} further ${hosts(facts.peersLeftOut)} were not looked at.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Hosts with too little data to decide whether they moved. */
function newHosts({ symptom, hosts }: Blame['ranking']): number {
  return hosts.filter((host) => !isUsualKnown(host, symptom.since)).length;
}

function sameTags(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(b);
  return keys.length > 0 && keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}

function hosts(count: number): string {
  return count === 1 ? 'host' : 'hosts';
}
