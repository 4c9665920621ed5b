import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { type KnownBlocks, readKnownBlocks } from '../../series/read.ts';
import { type BlockFacts, spansOf } from '../../series/spans.ts';
import { type Statement, stepRows } from '../../series/statement.ts';
import type { Peer } from './choose-peers.ts';
import type { FactsQuery } from './facts-request.ts';

/** A metric of a peer that is compared, with its block and slot. */
export interface PeerPlace {
  serviceId: string;
  metric: string;
  blockId: number;
  slot: number;
}

const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);
/** Blocks read by one statement: planning so wide a statement takes as long as reading a hundred blocks. */
const BLOCKS_AT_ONCE = 512;
/** The maximum number of metrics of a peer besides the investigated one. */
const MAX_MOVED = 4;
/** The minimum shift, in multiples of the usual spread. */
const MIN_SHIFT = 2;
/** The minimum spread of a nearly constant metric, as a part of its level. */
const MIN_SPREAD = 0.01;
/** The max magnitude of values, so that their squares are finite. */
const MAX_VALUE = '1e140::float8';

/**
 * Finds the metrics of peers to compare: the investigated metric of every peer that has it, and for each peer those with
 * the largest shift from their usual level; with the rollup state of all blocks since `earliest` (ms).
 */
export async function readMovedPlaces(
  tx: Transaction,
  peers: readonly Peer[],
  request: FactsQuery,
  { historyFrom, earliest }: { historyFrom: number; earliest: number },
): Promise<{ places: PeerPlace[]; known: KnownBlocks }> {
  const places = await readPlaces(tx, peers, request.organizationId, historyFrom);
  const wanted = request.subject.kind === 'host' ? request.metric : null;
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  const known = await readKnownBlocks(tx, blockIds, earliest, request.to);
  const blocks = [...known.values()];
  const shifts = new Map<number, Float64Array>();
  for (let start = 0; start < blocks.length; start += BLOCKS_AT_ONCE) {
    request.signal.throwIfAborted();
    await readShifts(tx, blocks.slice(start, start + BLOCKS_AT_ONCE), request, historyFrom, shifts);
  }
  const shiftOf = ({ blockId, slot }: PeerPlace) => shifts.get(blockId)?.[slot] ?? 0;
  const chosen = [...Map.groupBy(places, ({ serviceId }) => serviceId).values()].flatMap((own) => {
    const moved = own
      .filter((place) => place.metric !== wanted && shiftOf(place) >= MIN_SHIFT)
      .sort((a, b) => shiftOf(b) - shiftOf(a))
      .slice(0, MAX_MOVED);
    return [...own.filter(({ metric }) => metric === wanted), ...moved];
  });
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
 * The shift of each slot: the distance of the level since `troubledFrom` from the mean of the hours before, in standard
 * deviations of these hours. Computed by the database for every metric of every peer.
 */
async function readShifts(
  tx: Transaction,
  blocks: readonly BlockFacts[],
  { from, to, troubledFrom, retained }: FactsQuery,
  historyFrom: number,
  shifts: Map<number, Float64Array>,
): Promise<void> {
  const parameters: Statement['parameters'] = [];
  const usualFrom = Math.ceil(historyFrom / HOUR_MS) * HOUR_MS;
  const usualTo = Math.floor(from / HOUR_MS) * HOUR_MS;
  const hours = spansOf('1h', { from: usualFrom, to: usualTo }, retained, blocks);
  const isRolledUp = hours.raw.length + hours['1m'].length === 0;
  const usual = stepRows(hours, SLOTS, parameters);
  const now = stepRows(spansOf('1m', { from: troubledFrom, to }, retained, blocks), SLOTS, parameters);
  if (usual === null || now === null) return;
  const bounded = (mean: string) => `least(greatest(${mean}, -${MAX_VALUE}), ${MAX_VALUE})`;
  const rowMean = (slot: number) => bounded(`x.s${slot} / nullif(x.c${slot}, 0)`);
  const mean = (slot: number) => bounded(`sum(x.s${slot}) / nullif(sum(x.c${slot}), 0)`);
  const each = (column: (slot: number) => string) => SLOTS.map(column).join(', ');
  // Hours that are not rolled up yet are spread over several rows.
  const means = isRolledUp
    ? `select x.block_id, ${each((n) => `${rowMean(n)} as m${n}`)} from (${usual}) x`
    : `select x.block_id, date_bin(interval '1 hour', x.at, timestamptz '1970-01-01 00:00:00+00'),
        ${each((n) => `${mean(n)} as m${n}`)} from (${usual}) x group by 1, 2`;
  const rows = (await tx
    .unsafe(
      `with usual as (
        select h.block_id, ${each((n) => `avg(h.m${n}) as mean${n}, stddev_pop(h.m${n}) as spread${n}`)}
        from (${means}) h group by 1
      ), late as (
        select x.block_id, ${each((n) => `${mean(n)} as m${n}`)} from (${now}) x group by 1
      )
      select l.block_id, array_send(array[${each((n) => `u.mean${n}, u.spread${n}, l.m${n}`)}]::float8[])::text
      from late l join usual u using (block_id)`,
      parameters as never[],
    )
    .values()) as unknown as [blockId: number, packed: string][];
  const numbers = new Float64Array(3 * SLOTS.length);
  for (const [blockId, packed] of rows) {
    unpackNumbers(packed, numbers);
    shifts.set(
      blockId,
      Float64Array.from(SLOTS, (slot) => shiftOf(numbers.subarray(3 * slot, 3 * slot + 3))),
    );
  }
}

/** A slot without values before or after `troubledFrom` has no shift. */
function shiftOf([mean = Number.NaN, spread = Number.NaN, level = Number.NaN]: Float64Array): number {
  const shift = Math.abs(level - mean) / Math.max(spread, MIN_SPREAD * Math.abs(mean), Number.MIN_VALUE);
  return Number.isNaN(shift) ? 0 : shift;
}
