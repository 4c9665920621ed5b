import type { Transaction } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { comparedMetrics } from '@tidewatch/domain/investigation/departure/compared-metrics';
import { worseOf } from '@tidewatch/domain/investigation/metric-class';
import type { KnownRows } from '../../series/rows/known-rows.ts';
import { type BlockFacts, spansOf } from '../../series/rows/spans.ts';
import { type Statement, stepRows } from '../../series/rows/steps-statement.ts';
import type { KnownBlocks } from '../../series/series-columns.ts';
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

/** Mean, spread, highest and lowest level of a slot. */
const LEVELS = 4;
const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);
/** Blocks read by one statement: planning so wide a statement takes as long as reading a hundred blocks. */
const BLOCKS_AT_ONCE = 512;
/** The minimum distance from the usual level, in multiples of the usual spread. */
const MIN_DISTANCE = 2;
/** The minimum spread of a nearly constant metric, as a part of its largest magnitude. */
const MIN_SPREAD = 0.01;
/** The max magnitude of values, so that their squares are finite. */
const MAX_VALUE = '1e140::float8';

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
  const blocks = (known as KnownRows).of(blockIds);
  const levels = new Map<number, Float64Array>();
  for (let start = 0; start < blocks.length; start += BLOCKS_AT_ONCE) {
    request.signal.throwIfAborted();
    await readLevels(tx, blocks.slice(start, start + BLOCKS_AT_ONCE), request, peersFrom, levels);
  }
  const distance = ({ blockId, slot, metric }: PeerPlace) =>
    distanceOf(metric, levels.get(blockId)?.subarray(LEVELS * slot, LEVELS * (slot + 1)));
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

/**
 * Reads the level of each slot, computed by the database for every metric of every peer: mean and standard deviation of the
 * minutes before `troubledFrom`, and the highest and lowest minute since.
 */
async function readLevels(
  tx: Transaction,
  blocks: readonly BlockFacts[],
  { to, troubledFrom, retained }: FactsQuery,
  peersFrom: number,
  levels: Map<number, Float64Array>,
): Promise<void> {
  const parameters: Statement['parameters'] = [];
  const tier = peersFrom >= retained['1m'] ? '1m' : '1h';
  const begin = Math.max(peersFrom + 1, troubledFrom);
  const before = stepRows(spansOf(tier, { from: peersFrom, to: begin }, retained, blocks), SLOTS, parameters);
  const since = stepRows(spansOf(tier, { from: begin, to }, retained, blocks), SLOTS, parameters);
  if (before === null || since === null) return;
  const each = (column: (slot: number) => string) => SLOTS.map(column).join(', ');
  const mean = (n: number) =>
    `least(greatest(x.s${n} / nullif(x.c${n}, 0), -${MAX_VALUE}), ${MAX_VALUE}) as m${n}`;
  const rows = (await tx
    .unsafe(
      `with usual as (
        select h.block_id, ${each((n) => `avg(h.m${n}) as mean${n}, stddev_pop(h.m${n}) as spread${n}`)}
        from (select x.block_id, ${each(mean)} from (${before}) x) h group by 1
      ), late as (
        select h.block_id, ${each((n) => `max(h.m${n}) as most${n}, min(h.m${n}) as least${n}`)}
        from (select x.block_id, ${each(mean)} from (${since}) x) h group by 1
      )
      select l.block_id,
        array_send(array[${each((n) => `u.mean${n}, u.spread${n}, l.most${n}, l.least${n}`)}]::float8[])::text
      from late l join usual u using (block_id)`,
      parameters as never[],
    )
    .values()) as unknown as [blockId: number, packed: string][];
  for (const [blockId, packed] of rows) {
    const numbers = new Float64Array(LEVELS * SLOTS.length);
    unpackNumbers(packed, numbers);
    levels.set(blockId, numbers);
  }
}

/** How far a metric went in the direction in which it gets worse, in usual spreads; 0 for less than `MIN_DISTANCE`. */
function distanceOf(
  metric: string,
  [mean = Number.NaN, spread = Number.NaN, most = Number.NaN, least = Number.NaN]: Iterable<number> = [],
): number {
  const magnitude = Math.max(Math.abs(mean), Math.abs(most), Math.abs(least));
  const scale = Math.max(spread, MIN_SPREAD * magnitude, Number.MIN_VALUE);
  const direction = worseOf(metric);
  const above = direction === -1 ? 0 : (most - mean) / scale;
  const below = direction === 1 ? 0 : (mean - least) / scale;
  const distance = Math.max(above, below);
  return distance >= MIN_DISTANCE ? distance : 0;
}
