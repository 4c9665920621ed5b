import type { Transaction } from '@tidewatch/database/connection';
import { unpackNumbers, unpackTimes } from '@tidewatch/database/packed-numbers';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { LatestBlock } from '../latest/latest-block.ts';

const LATEST_LOCK = 7_115_030_006;

/** Until the transaction ends no other one replaces latest values that it has read. */
export async function lockSealedLatest(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LATEST_LOCK}::bigint)`;
}

/** A block as it stands before a seal: the latest value of each slot, with the time -Infinity where there is none. */
export interface SealedBlock extends LatestBlock {
  organizationId: string;
  serviceId: string;
  /** Whether it is one of the parts of its host. */
  isOfParts: boolean;
  /** No chunk of the block has a row after this time, ms: seals note the newest of them, or their own time if that is later. */
  appliedAt: number;
}

interface BlockRow {
  id: number;
  organization_id: string;
  service_id: string;
  is_of_parts: boolean;
  applied_at: number | null;
  times: string | null;
  vals: string | null;
}

/** What new rows a block has: the first of their times, ms, and how many of its slots, from the first on, have values in them. */
export interface NewRows {
  id: number;
  first: number;
  covered: number;
}

/**
 * Reads those of the blocks whose service is not deleted. The latest values before are left out where each slot has a later one in the
 * new rows.
 */
export async function readSealedBlocks(
  tx: Transaction,
  blocks: readonly NewRows[],
): Promise<Map<number, SealedBlock>> {
  const rows = await tx<BlockRow[]>`
    select b.id, b.organization_id, b.service_id, b.subject_kind = 'part' as is_of_parts, l.applied_at,
      case when is_needed then array_send(l.times)::text end as times,
      case when is_needed then array_send(l.vals)::text end as vals
    from unnest(${blocks.map(({ id }) => id)}::integer[], ${blocks.map(({ first }) => first)}::float8[],
      ${blocks.map(({ covered }) => covered)}::integer[]) as w (id, first, covered)
    join blocks b on b.id = w.id
    left join block_latest l on l.block_id = w.id
    cross join lateral (
      select l.applied_at >= to_timestamp(w.first / 1000) or cardinality(b.metrics) > w.covered as is_needed) n
    where not exists (select from services s
      where s.organization_id = b.organization_id and s.id = b.service_id and s.deleted_at is not null)`;
  return new Map(
    rows.map(({ id, organization_id, service_id, is_of_parts, applied_at, times, vals }) => {
      const latestTimes = new Float64Array(SLOTS_PER_BLOCK).fill(Number.NEGATIVE_INFINITY);
      const latestValues = new Float64Array(SLOTS_PER_BLOCK).fill(Number.NaN);
      if (times !== null && vals !== null) {
        unpackTimes(times, latestTimes);
        unpackNumbers(vals, latestValues);
      }
      const owner = { organizationId: organization_id, serviceId: service_id, isOfParts: is_of_parts };
      const appliedAt = applied_at ?? Number.POSITIVE_INFINITY;
      return [id, { id, ...owner, appliedAt, latestTimes, latestValues }];
    }),
  );
}

/**
 * Reads, for services whose new samples are older than what was the latest before, the newest sample time by the present clock of the
 * host, ms: a clock may have been set back.
 */
export async function readNewestByClock(
  tx: Transaction,
  blocks: readonly SealedBlock[],
): Promise<Map<string, number>> {
  if (blocks.length === 0) return new Map();
  const rows = await tx<{ service_id: string; newest: number }[]>`
    select l.service_id, l.last_sample_at as newest from service_live l
    join (select distinct organization_id, service_id
      from unnest(${blocks.map((block) => block.organizationId)}::text[], ${blocks.map((block) => block.serviceId)}::text[])
        as w (organization_id, service_id)) w using (organization_id, service_id)
    where l.last_sample_at is not null`;
  return new Map(rows.map(({ service_id, newest }) => [service_id, newest]));
}
