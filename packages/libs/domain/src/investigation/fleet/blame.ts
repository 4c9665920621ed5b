import type { Facts } from '../facts.ts';
import { median } from '../statistics/robust.ts';
import { type Affected, affectedHosts } from './affected.ts';
import { changedTags, explainByTag, type TagExplanation } from './explain-by-tag.ts';
import { PARAMETERS, type RankingParameters } from './movement.ts';
import { type HostRanking, type RankedHost, rankHosts } from './rank-hosts.ts';
import { affectedFrom } from './symptom.ts';

/** A suspected host with its score after groups of hosts that moved together were considered. */
export interface SuspectHost extends RankedHost {
  readonly blame: number;
}

/** The possible causes outside the alerting host: single other hosts, or something that a group of hosts shares. */
export interface Blame {
  readonly ranking: HostRanking;
  readonly affected: Affected;
  /** Best first. */
  readonly suspects: readonly SuspectHost[];
  readonly tag: (TagExplanation & { readonly blame: number }) | null;
}

/** The share that resources leave to likeness from which no resource explains the trouble. */
const UNREASONED = 0.75;
/** The share of affected hosts above which the whole fleet counts as affected. */
const WHOLE_FLEET = 0.6;
const MIN_FOR_FLEET = 5;
/**
 * A host stands out from its group if it moved more than this many times as much as any other, fully at eight times as
 * much.
 */
const MORE = 2;
const MUCH_MORE = 8;
/**
 * A host stands out from its group if it began to move more than this many time steps before every other host, fully at
 * `MUCH_EARLIER` steps.
 */
const EARLIER = 1;
const MUCH_EARLIER = 3;
const ENOUGH_FOR_ONSETS = 20;

/**
 * Divides the blame between single hosts and what a group of them shares ("explaining away", Pearl 1988). Hosts that share
 * a tag value and moved together are victims of what they share: a host keeps only the part by which it stands out, and the
 * shared tag only what no outstanding host explains.
 */
export function divideBlame(facts: Facts, parameters: RankingParameters = PARAMETERS): Blame | null {
  const ranking = rankHosts(facts, parameters);
  if (ranking === null) return null;
  // A change of a tag, or no resource that explains the trouble, is worth a second look at which hosts are affected.
  const isUnexplained = changedTags(facts).size > 0 || ranking.unreasoned > UNREASONED;
  const again = isUnexplained ? rankHosts(facts, parameters, affectedFrom(facts)) : null;
  const seen = again ?? ranking;
  const affected = affectedHosts(seen);
  const asSeen = new Map(seen.hosts.map((host) => [host.serviceId, host]));
  const tag = explainByTag(facts, affected);
  const share = affected.moved.length / Math.max(1, ranking.hosts.length);
  const fleet = affected.moved.length >= MIN_FOR_FLEET && share > WHOLE_FLEET ? share : 0;
  const suspects = ranking.hosts.map((host): SuspectHost => {
    const inside = tag !== null && host.peer.tags[tag.key] === tag.value;
    const common = Math.max(inside ? tag.score : 0, fleet);
    const outstanding =
      common === 0
        ? 1
        : outstandingAmong(
            asSeen.get(host.serviceId) ?? host,
            membersOf(affected, inside ? tag : null),
            seen,
          );
    return { ...host, blame: host.score * (1 - common * (1 - outstanding)) };
  });
  const sole = tag === null ? 0 : Math.max(0, ...suspects.map(({ blame }) => blame));
  return {
    ranking,
    affected,
    suspects: suspects.sort((a, b) => b.blame - a.blame),
    tag: tag === null ? null : { ...tag, blame: tag.score * (1 - sole * sole) },
  };
}

const divided = new WeakMap<Facts, Blame | null>();

/** Cached for all detectors, since facts do not change. */
export function blameOf(facts: Facts): Blame | null {
  const known = divided.get(facts);
  if (known !== undefined) return known;
  const blame = divideBlame(facts);
  divided.set(facts, blame);
  return blame;
}

function membersOf({ moved }: Affected, tag: TagExplanation | null): readonly RankedHost[] {
  return tag === null ? moved : moved.filter(({ peer }) => peer.tags[tag.key] === tag.value);
}

/** 0 to 1: how clearly one host moved more, or earlier, than every other host of its group. */
function outstandingAmong(
  host: RankedHost,
  members: readonly RankedHost[],
  { symptom }: HostRanking,
): number {
  const others = members.filter((member) => member.serviceId !== host.serviceId);
  // Movements of different metrics are not compared: errors, which usually are zero, always move further than
  // latency.
  const most = Math.max(symptom.movement.excess, ...others.map(({ same }) => same?.movement.excess ?? 0));
  const own = host.same?.movement;
  const ratio = (1 + (own?.excess ?? 0)) / (1 + most);
  const stronger = own?.flat ? 0 : Math.log(ratio / MORE) / Math.log(MUCH_MORE / MORE);
  const onsets = [symptom.movement.startedAt, ...others.map(({ best }) => best.movement.startedAt)];
  const earliest = Math.min(...onsets.filter((time) => time !== null));
  const began = host.best.movement.startedAt;
  const known = host.best.compared >= ENOUGH_FOR_ONSETS && began !== null;
  const steps = known ? (earliest - began) / symptom.stepMs : 0;
  const earlier = (steps - EARLIER) / (MUCH_EARLIER - EARLIER);
  const reason = (one: RankedHost) => one.reason?.score ?? 0;
  const reasoned = reason(host) - (others.length === 0 ? 0 : median(others.map(reason)));
  return Math.max(0, Math.min(1, Math.max(stronger, earlier, reasoned)));
}
