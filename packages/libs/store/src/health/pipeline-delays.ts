import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';
import { DELAYED_AFTER_MS } from '@tidewatch/domain/health/pipeline-delay';

/** A partition whose evaluation has fallen behind, or has caught up; times in ms. */
export interface PipelineCrossing {
  partition: number;
  partitions: number;
  completeUntil: number;
  /** The time since which the evaluation of the partition counts as delayed, ms. */
  delayedSince: number;
}

/**
 * How long no partition can fall behind, ms, since clocks only go forward: null while one is delayed, or has fallen behind and that is
 * not recorded yet.
 */
export async function untilPipelineDelay(sql: Queryable, now: number): Promise<number | null> {
  const [row] = await sql<{ since: number | null; delayed: boolean | null }[]>`
    select min(complete_until) as since, bool_or(delayed_since is not null) as delayed from pipeline_clocks`;
  const leftMs = (row?.since ?? now) + DELAYED_AFTER_MS - now;
  return row?.delayed || leftMs <= 0 ? null : leftMs;
}

/** Records and returns the partitions that fell behind or caught up since the last call; each is returned once. */
export async function recordPipelineDelays(
  tx: Queryable,
  now: number,
): Promise<{ delayed: PipelineCrossing[]; recovered: PipelineCrossing[] }> {
  const limit = toIso(now - DELAYED_AFTER_MS);
  const rows = await tx<(PipelineCrossing & { behind: boolean })[]>`
    update pipeline_clocks c set delayed_since = case when c.complete_until <= ${limit}::timestamptz then ${now}::timestamptz end
    from (select partition, delayed_since from pipeline_clocks for update) before
    where before.partition = c.partition
      and (before.delayed_since is null) = (c.complete_until <= ${limit}::timestamptz)
    returning c.partition, c.partitions, c.complete_until as "completeUntil",
      c.delayed_since is not null as behind, coalesce(c.delayed_since, before.delayed_since) as "delayedSince"`;
  const ordered = rows.sort((a, b) => a.partition - b.partition);
  return {
    delayed: ordered.filter(({ behind }) => behind),
    recovered: ordered.filter(({ behind }) => !behind),
  };
}
