import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { DELAYED_AFTER_MS } from '@tidewatch/domain/health/pipeline-delay';
import type { LinkState } from './link-state.ts';

/** How current the data of the page are. Times are those of the browser's clock. */
export type Freshness =
  | { kind: 'connecting' | 'live' | 'catching-up' | 'signed-out' }
  | { kind: 'not-current'; since: number; retryAt: number | null };

/** After a cut the page says so no later than this, whether the first retry has failed or not, ms. */
export const MAX_UNNOTICED_MS = 1_500;

/** The freshness that people see. `unreachableSince` is when a request of this page found no server, null if none did. */
export function freshnessOf(link: LinkState, unreachableSince: number | null, now: number): Freshness {
  if (link.phase === 'refused' && link.status === 401) return { kind: 'signed-out' };
  if (link.phase === 'refused') return { kind: 'not-current', since: link.since, retryAt: null };
  if (link.phase === 'lost') {
    const isNoticed = link.failures > 0 || now - link.since >= MAX_UNNOTICED_MS;
    return isNoticed ? { kind: 'not-current', since: link.since, retryAt: link.retryAt } : { kind: 'live' };
  }
  if (unreachableSince !== null) return { kind: 'not-current', since: unreachableSince, retryAt: null };
  if (link.phase === 'connecting')
    return link.failures > 0
      ? { kind: 'not-current', since: link.startedAt, retryAt: link.retryAt }
      : { kind: 'connecting' };
  return { kind: link.pastUntil === null ? 'live' : 'catching-up' };
}

/**
 * Up to when alerts are complete, ms, where the evaluation is behind: by the events since the page was opened, or by a summary,
 * since the events may be older than the page. Null where it is not behind.
 */
export function completeUntil(
  delay: Delay | null,
  summary: { as_of: string; evaluation_lag_seconds: number | null } | undefined,
): number | null {
  const lagMs = (summary?.evaluation_lag_seconds ?? 0) * SECOND_MS;
  if (summary !== undefined && lagMs >= DELAYED_AFTER_MS) return Date.parse(summary.as_of) - lagMs;
  return delay === null ? null : Date.parse(delay.completeUntil);
}

/** Part of the pipeline that is behind. */
export interface Delay {
  partitions: readonly number[];
  /** RFC 3339. */
  completeUntil: string;
}

type PipelineEvent = {
  type: string;
  data: { pipeline: { partitions: readonly number[]; complete_until: string } };
};

/** The delay after an event of the pipeline; null once every partition has caught up. */
export function delayAfter(delay: Delay | null, { type, data: { pipeline } }: PipelineEvent): Delay | null {
  if (type === 'pipeline.delayed') {
    const partitions = [...new Set([...(delay?.partitions ?? []), ...pipeline.partitions])];
    return { partitions, completeUntil: pipeline.complete_until };
  }
  const left = delay?.partitions.filter((partition) => !pipeline.partitions.includes(partition)) ?? [];
  return delay === null || left.length === 0 ? null : { ...delay, partitions: left };
}
