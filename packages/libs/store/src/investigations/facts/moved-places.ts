import type { Transaction } from '@tidewatch/database/connection';
import {
  comparedMetrics,
  distanceFromUsual,
} from '@tidewatch/domain/investigation/departure/compared-metrics';
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
/**
 * Finds the metrics of peers to compare: the investigated metric of every peer that has it, and for each peer those that
 * went furthest since `since` (ms) from their level before; with the rollup state of all blocks since `earliest` (ms).
 */
export async function readMovedPlaces(
  tx: Transaction,
  peers: readonly Peer[],
  request: FactsQuery,
  {
    historyFrom,
    peersFrom,
    earliest,
    since,
  }: { historyFrom: number; peersFrom: number; earliest: number; since: number },
): Promise<{ places: PeerPlace[]; known: KnownBlocks }> {
  const places = await readPlaces(tx, peers, request.organizationId, historyFrom);
  const wanted = request.subject.kind === 'host' ? request.metric : null;
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  const known = await storedSeries.know(tx, blockIds, { from: earliest, to: request.to });
  const tier = peersFrom >= request.retained['1m'] ? ('1m' as const) : ('1h' as const);
  const turn = Math.max(peersFrom + 1, since);
  const asked = { tier, from: peersFrom, turn, to: request.to, retained: request.retained };
  const levels = new Map<number, Levels>();
  for (let start = 0; start < blockIds.length; start += BLOCKS_AT_ONCE) {
    request.signal.throwIfAborted();
    const part = blockIds.slice(start, start + BLOCKS_AT_ONCE);
    for (const [blockId, own] of await storedSeries.levels(tx, part, asked, known)) levels.set(blockId, own);
  }
  const distance = ({ blockId, slot, metric }: PeerPlace) => {
    const own = levels.get(blockId);
    return own === undefined ? 0 : distanceFromUsual(metric, levelsAt(own, slot));
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

const levelsAt = ({ mean, deviation, max, min }: Levels, slot: number) => ({
  mean: mean[slot] as number,
  deviation: deviation[slot] as number,
  max: max[slot] as number,
  min: min[slot] as number,
});
