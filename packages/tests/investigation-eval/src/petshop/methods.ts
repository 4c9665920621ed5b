import type { Facts } from '@tidewatch/domain/investigation/facts';
import { divideBlame } from '@tidewatch/domain/investigation/fleet/blame';
import { rankHosts } from '@tidewatch/domain/investigation/fleet/rank-hosts';
import { investigate } from '@tidewatch/domain/investigation/investigate';
import { correlationOf } from '../recorded/statistics.ts';

/** A score for each compared host, higher for more suspicious hosts; equal scores are ties. */
export type Scores = ReadonlyMap<string, number>;

export interface Method {
  readonly name: string;
  scores(facts: Facts): Scores;
}

/** The method of the product, which ranks hosts in the order of their findings. */
const verdict: Method = {
  name: 'the whole investigation',
  scores(facts) {
    const hosts = [...new Set(investigate(facts).findings.map(({ host }) => host))];
    return new Map(hosts.map((host, place) => [host, -place]));
  },
};

/** The ranking of other hosts alone, without findings on the alerting host. */
const blame: Method = {
  name: 'moving together x strength',
  scores: (facts) => new Map(divideBlame(facts)?.suspects.map(({ host, blame }) => [host, blame])),
};

const together: Method = {
  name: 'moving together (jackknife)',
  scores: (facts) =>
    new Map(rankHosts(facts)?.hosts.map(({ host, same }) => [host, same === null ? -1 : same.correlation])),
};

/** Ranks by correlation, as many monitoring products do. */
const pearson: Method = {
  name: 'signed correlation (Pearson)',
  scores(facts) {
    const ranking = rankHosts(facts);
    if (ranking === null) return new Map();
    const { times, values } = ranking.symptom.window;
    return new Map(
      ranking.hosts.map(({ host, same }) => {
        const at = new Map(
          same === null ? [] : Array.from(same.window.times, (t, i) => [t, same.window.values[i]]),
        );
        return [host, pearsonOf(Array.from(times, (time, i) => [values[i], at.get(time)]))];
      }),
    );
  },
};

const strength: Method = {
  name: 'strength alone',
  scores: (facts) =>
    new Map(rankHosts(facts)?.hosts.map(({ host, same }) => [host, same?.movement.strength ?? -1])),
};

/** Ranks by the largest robust z of the investigated metric. */
const shift: Method = { name: 'largest robust z', scores: (facts) => robustScores(facts, facts.metric) };

/** Ranks by the largest robust z of any metric, as BARO does (Pham, Ha, Zhang, FSE 2024). */
const anyShift: Method = {
  name: 'largest robust z, any metric (BARO)',
  scores: (facts) => robustScores(facts, null),
};

/**
 * Ranks by score ordering (Okati et al. 2024): how rarely such an extreme value was seen before. Values beyond all earlier
 * ones are tied for the first place, as most hosts affected by a fault are.
 */
const ordering: Method = {
  name: 'score ordering, ties broken at random',
  scores(facts) {
    const robust = robustScores(facts, facts.metric);
    return new Map(
      facts.peers.map(({ host, metrics }) => {
        const metric = metrics.find((each) => each.metric === facts.metric);
        if (metric === undefined) return [host, -1];
        const { usual, recent } = metric;
        const beyond = recent.values.some(
          (value, i) => (recent.times[i] ?? 0) >= facts.from && (value < usual.min || value > usual.max),
        );
        return [host, beyond ? 1e12 : (robust.get(host) ?? -1)];
      }),
    );
  },
};

export const METHODS: readonly Method[] = [
  verdict,
  blame,
  together,
  pearson,
  strength,
  shift,
  anyShift,
  ordering,
];

function robustScores(facts: Facts, only: string | null): Scores {
  return new Map(
    facts.peers.map(({ host, metrics }) => {
      const scores = metrics
        .filter(({ metric }) => only === null || metric === only)
        .flatMap(({ usual, recent }) => {
          const spread = Math.max(1.4826 * usual.mad, 0.001 * Math.abs(usual.median), Number.MIN_VALUE);
          return Array.from(recent.values)
            .filter((_, i) => (recent.times[i] ?? 0) >= facts.from)
            .map((value) => Math.min(1e9, Math.abs(value - usual.median) / spread));
        });
      return [host, Math.max(-1, ...scores)];
    }),
  );
}

function pearsonOf(points: ReadonlyArray<readonly [number | undefined, number | undefined]>): number {
  const known = points.filter((point): point is readonly [number, number] => !point.includes(undefined));
  if (known.length < 3) return -1;
  return correlationOf(known);
}
