import type { Transaction } from '@tidewatch/database/connection';
import { comparedMetrics } from '@tidewatch/domain/investigation/departure/compared-metrics';
import { worseOf } from '@tidewatch/domain/investigation/metric-class';
import type { KnownBlocks, Levels } from '../../series/series-columns.ts';
import { storedSeries } from '../../series/stored-series.ts';
import type { Peer } from './choose-peers.ts';
import type { FactsQuery } from './facts-request.ts';

/** A metric of a peer that is compared, with its block and slot. */
export interface PeerPlace {
  serviceId: string;
  metric: string;
  blockId: number;
  slot: number;
}

/** Blocks read by one statement: planning so wide a statement takes as long as reading a hundred blocks. */
const BLOCKS_AT_ONCE = 512;
/** The minimum distance from the usual level, in multiples of the usual spread. */
const MIN_DISTANCE = 2;
/** The minimum spread of a nearly constant metric, as a part of its largest magnitude. */
const MIN_SPREAD = 0.01;
/**
 * Finds the metrics of peers to compare: the investigated metric of every peer that has it, and for each peer those with
 * went furthest from their usual level; with the rollup state of all blocks since `earliest` (ms).
 */
export async function readMovedPlaces(
  tx: Transaction,
  peers: readonly Peer[],
  request: FactsQuery,
  { historyFrom, peersFrom, earliest }: { historyFrom: number; peersFrom: number; earliest: number },
): Promise<{ places: PeerPlace[]; known: KnownBlocks }> {
  const places = await readPlaces(tx, peers, request.organizationId, historyFrom);
  const wanted = request.subject.kind === 'host' ? request.metric : null;
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  const known = await storedSeries.know(tx, blockIds, { from: earliest, to: request.to });
  const tier = peersFrom >= request.retained['1m'] ? ('1m' as const) : ('1h' as const);
  const turn = Math.max(peersFrom + 1, request.troubledFrom);
  const asked = { tier, from: peersFrom, turn, to: request.to, retained: request.retained };
  const levels = new Map<number, Levels>();
  for (let start = 0; start < blockIds.length; start += BLOCKS_AT_ONCE) {
    request.signal.throwIfAborted();
    const part = blockIds.slice(start, start + BLOCKS_AT_ONCE);
    for (const [blockId, own] of await storedSeries.levels(tx, part, asked, known)) levels.set(blockId, own);
  }
  const distance = ({ blockId, slot, metric }: PeerPlace) => {
    const own = levels.get(blockId);
    return own === undefined ? 0 : distanceOf(metric, own, slot);
  };
  const distances = new Map(places.map((place) => [place, distance(place)]));
  const chosen = [...Map.groupBy(places, ({ serviceId }) => serviceId).values()].flatMap((own) =>
    comparedMetrics(own, wanted, (place) => distances.get(place) ?? 0),
  );
  return { places: chosen, known };
}

async function readPlaces(
  tx: Transaction,
  peers: readonly Peer[],
  organizationId: string,
  historyFrom: number,
): Promise<PeerPlace[]> {
  const blocks = await tx<{ serviceId: string; blockId: number; metrics: string[] }[]>`
    select b.service_id as "serviceId", b.id as "blockId", to_json(b.metrics) as metrics
    from blocks b left join block_latest l on l.block_id = b.id
    where b.organization_id = ${organizationId} and b.service_id = any(${peers.map(({ serviceId }) => serviceId)}::text[])
      and b.subject_kind = 'host' and coalesce(l.applied_at >= ${historyFrom}::timestamptz, true)
    order by b.service_id, b.ordinal`;
  return blocks.flatMap(({ serviceId, blockId, metrics }) =>
    metrics.flatMap((metric, slot) => (metric === '' ? [] : { serviceId, metric, blockId, slot })),
  );
}

/** How far a metric went in the direction in which it gets worse, in usual spreads; 0 for less than `MIN_DISTANCE`. */
function distanceOf(metric: string, levels: Levels, slot: number): number {
  const [mean, deviation, max, min] = [
    levels.mean[slot] as number,
    levels.deviation[slot] as number,
    levels.max[slot] as number,
    levels.min[slot] as number,
  ];
  const magnitude = Math.max(Math.abs(mean), Math.abs(max), Math.abs(min));
  const scale = Math.max(deviation, MIN_SPREAD * magnitude, Number.MIN_VALUE);
  const direction = worseOf(metric);
  const above = direction === -1 ? 0 : (max - mean) / scale;
  const below = direction === 1 ? 0 : (mean - min) / scale;
  const distance = Math.max(above, below);
  return distance >= MIN_DISTANCE ? distance : 0;
}
