import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import type { EvidenceDraft } from '../finding.ts';
import { quoted } from '../words/names.ts';
import { type Blame, blameOf } from './blame.ts';
import { comparisonEvidence } from './fleet-evidence.ts';

/** A tag value with a lower score is not reported. */
const LEAST = 0.2;

/**
 * Finds the tag value, such as a release, rack or zone, that best explains which hosts are affected (`explainByTag`),
 * unless one host stands out as the cause of the trouble of the others.
 */
export const sharedTag: Detector = {
  name: 'shared-tag',
  detect(facts) {
    const blame = blameOf(facts);
    if (blame === null || blame.tag === null || blame.tag.blame < LEAST) return [];
    const { tag, affected, suspects } = blame;
    const name = `${tag.key}=${tag.value}`;
    const members = suspects.filter(({ peer }) => peer.tags[tag.key] === tag.value);
    const moved = members.filter(({ serviceId }) =>
      affected.moved.some((host) => host.serviceId === serviceId),
    );
    const onsets = [blame.ranking.symptom.movement, ...moved.map(({ best }) => best.movement)]
      .map(({ startedAt }) => startedAt)
      .filter((time) => time !== null);
    return [
      aboutHost(facts, {
        kind: 'peer_hosts',
        detector: 'shared-tag',
        title: `${tag.hits} of ${tag.carriers} hosts with tag ${quoted(name)} moved together`,
        description: `${tag.hits} of the ${tag.affected} affected hosts have tag ${quoted(name)}, and ${tag.carriers - tag.hits} of the hosts that have it are not affected; ${tag.compared} hosts were compared. As good a fit by chance among all tag values is expected ${tag.chance < 0.001 ? 'less than 0.001' : tag.chance.toFixed(3)} times.`,
        score: tag.blame,
        subject: { kind: 'tag', name },
        metric: blame.ranking.symptom.facts.metric,
        startedAt: onsets.length === 0 ? null : Math.min(...onsets),
        hosts: moved.map(({ serviceId, host, blame: score, best }) => ({
          serviceId,
          host,
          score,
          metric: best.facts.metric,
          startedAt: best.movement.startedAt,
        })),
        unaffectedHosts: affected.calm.map(({ serviceId, host }) => ({ serviceId, host })),
        evidence: [tagEvidence(facts.service.host, blame, tag), comparisonEvidence(facts, blame.ranking)],
      }),
    ];
  },
};

function tagEvidence(
  host: string,
  { ranking, affected }: Blame,
  tag: NonNullable<Blame['tag']>,
): EvidenceDraft {
  const { source } = ranking.symptom.facts;
  const row = (name: string, state: string, value: string | undefined) => ({
    host: name,
    state,
    tag: value ?? null,
  });
  return {
    ref: `tag:${tag.key}=${tag.value}`,
    query: `hosts with tag ${tag.key}=${tag.value} among those compared`,
    from: source.from,
    to: source.to,
    stats: {
      affected_with: tag.hits,
      all_with: tag.carriers,
      affected: tag.affected,
      compared: tag.compared,
      precision: tag.precision,
      recall: tag.recall,
      expected_by_chance: tag.chance,
    },
    points: [
      row(host, 'affected', tag.value),
      ...affected.moved.map((each) => row(each.host, 'affected', each.peer.tags[tag.key])),
      ...affected.calm.map((each) => row(each.host, 'not affected', each.peer.tags[tag.key])),
      ...affected.unclear.map((each) => row(each.host, 'unclear', each.peer.tags[tag.key])),
    ].slice(0, 240),
  };
}
