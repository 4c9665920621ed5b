import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { PeerFacts, PeerMetricFacts } from '@tidewatch/domain/investigation/facts';
import { NO_POINTS, pointsOf, type SeriesPoints } from '../../series/points.ts';
import type { KnownBlocks, StepsRequest } from '../../series/series-columns.ts';
import { storedSeries } from '../../series/stored-series.ts';
import type { Peer } from './choose-peers.ts';
import type { FactsQuery, Stretches } from './facts-request.ts';
import { type PeerPlace, readMovedPlaces } from './moved-places.ts';
import { metricSource } from './sources.ts';

/** The minimum number of hours from which the variation over a day is computed. */
const MIN_HOURS = 6;

/**
 * Reads the metrics of each peer: the investigated one, and those that went furthest from their usual level.
 * @param stretches with the time before which values are usual, ms
 */
export async function readPeerMetrics(
  tx: Transaction,
  peers: readonly Peer[],
  request: FactsQuery,
  stretches: Stretches & { since: number },
): Promise<PeerFacts[]> {
  const { from, to, retained, signal } = request;
  const { historyFrom, peersFrom, since } = stretches;
  const earliest = Math.min(historyFrom, peersFrom);
  const stretch = { historyFrom, peersFrom, earliest, since };
  const { places, known } = await readMovedPlaces(tx, peers, request, stretch);
  signal.throwIfAborted();
  const steps = peerSteps(request, stretches);
  const near = await readBySlot(tx, places, steps, known);
  signal.throwIfAborted();
  const usualTo = Math.floor(Math.min(from, since) / HOUR_MS) * HOUR_MS;
  const hourly = { tier: '1h' as const, stepMs: HOUR_MS, from: historyFrom, to: usualTo, retained };
  const hours = await readBySlot(tx, places, hourly, known);
  const byService = Map.groupBy(places, ({ serviceId }) => serviceId);
  return peers.map((peer) => ({
    ...peer,
    metrics: (byService.get(peer.serviceId) ?? []).flatMap((place): PeerMetricFacts[] => {
      const points = near.get(place);
      if (points === undefined) return [];
      const usual = usualOf(points, hours.get(place), from);
      if (usual === null) return [];
      const range = { from: peersFrom, to };
      const source = metricSource(
        peer,
        { kind: 'host', name: peer.host },
        place.metric,
        range,
        steps.stepMs / 1_000,
      );
      return [{ metric: place.metric, usual, recent: { times: points.at, values: points.avg }, source }];
    }),
  }));
}

/** The finest steps that are still kept: whole minutes or hours where samples are not. */
function peerSteps({ to, retained }: FactsQuery, { peersFrom, peerStepMs }: Stretches): StepsRequest {
  const range = { from: peersFrom, to, retained };
  if (peersFrom >= retained.raw && peerStepMs < MINUTE_MS)
    return { ...range, tier: 'raw', stepMs: peerStepMs };
  if (peersFrom < retained['1m']) return { ...range, tier: '1h', stepMs: HOUR_MS };
  return { ...range, tier: '1m', stepMs: Math.ceil(peerStepMs / MINUTE_MS) * MINUTE_MS };
}

/** Groups places by slot, since a statement reads the same slots of all of its blocks. */
async function readBySlot(
  tx: Transaction,
  places: readonly PeerPlace[],
  steps: StepsRequest,
  known: KnownBlocks,
): Promise<Map<PeerPlace, SeriesPoints>> {
  const alike = [...Map.groupBy(places, ({ slot }) => slot).values()];
  const found = await Promise.all(alike.map((part) => storedSeries.steps(tx, part, steps, known)));
  return new Map(found.flatMap((part) => [...part].map(([place, own]) => [place, pointsOf(own)] as const)));
}

/**
 * The usual level before `from`: the median of the steps just before it, and their spread or that of the hours of the day,
 * whichever is wider. Null if there are no values before.
 */
export function usualOf(
  steps: SeriesPoints,
  hours: SeriesPoints | undefined,
  from: number,
): PeerMetricFacts['usual'] | null {
  const before = steps.at.findLastIndex((at) => at < from) + 1;
  const near = steps.avg.slice(0, before);
  const far = hours?.avg ?? NO_POINTS.avg;
  const level = near.length > 0 ? near : far;
  if (level.length === 0) return null;
  const median = medianOf(level);
  const daily = far.length < MIN_HOURS ? 0 : spreadOf(far, medianOf(far));
  return {
    median,
    mad: Math.max(spreadOf(level, median), daily),
    min: Math.min(...steps.min.slice(0, before), ...(hours?.min ?? [])),
    max: Math.max(...steps.max.slice(0, before), ...(hours?.max ?? [])),
    count: countOf(steps, hours, before),
    hourly: new Float64Array(far),
  };
}

/** The number of samples in steps and hours; a time that both cover counts once. */
function countOf(steps: SeriesPoints, hours: SeriesPoints | undefined, before: number): number {
  const sum = (counts: Float64Array) => counts.reduce((total, count) => total + count, 0);
  const near = steps.count.slice(0, before);
  if (hours === undefined) return sum(near);
  const end = (hours.at.at(-1) ?? Number.NEGATIVE_INFINITY) + HOUR_MS;
  return sum(hours.count) + sum(near.filter((_, index) => (steps.at[index] as number) >= end));
}

function medianOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function spreadOf(values: Float64Array, median: number): number {
  return medianOf(values.map((value) => Math.abs(value - median)));
}
