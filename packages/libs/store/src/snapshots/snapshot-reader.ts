import type { Queryable } from '@tidewatch/database/connection';
import type { SnapshotLists, SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';

/** A list of one snapshot. */
export interface StoredList<M extends SnapshotMember> {
  /** ms */
  time: number;
  list: SnapshotLists[M];
}

/** A host and the times `[from, to)`, ms, of which `from` may be -Infinity and `to` Infinity. */
export interface SnapshotSpan {
  organizationId: string;
  serviceId: string;
  from: number;
  to: number;
}

/** The number of snapshots of an hour, which begins at `hour`, ms. */
export interface HourOfSnapshots {
  hour: number;
  count: number;
}

/** Whether the list of containers of each time (ms, ascending) names a container. */
export interface ContainerPresence {
  at: Float64Array;
  hasIt: boolean[];
}

/**
 * Reads stored snapshots of containers and processes; nothing else knows how they are laid out. Every method runs in the transaction of its
 * caller, whose organization and snapshot of the database it sees. Answers to several spans stand in the order of the spans.
 */
export interface SnapshotReader {
  /** The newest lists of each span, newest first, at most `max` (1 by default). */
  newest<M extends SnapshotMember>(
    sql: Queryable,
    spans: readonly SnapshotSpan[],
    member: M,
    max?: number,
  ): Promise<StoredList<M>[][]>;
  /** The time (ms) of the newest list of each span; null without one. */
  newestTimes(
    sql: Queryable,
    spans: readonly SnapshotSpan[],
    member: SnapshotMember,
  ): Promise<(number | null)[]>;
  /** The lists of each span, oldest first; only the newest list of each step, counted from the epoch, if `stepMs` is given. */
  lists<M extends SnapshotMember>(
    sql: Queryable,
    spans: readonly SnapshotSpan[],
    member: M,
    options?: { stepMs: number },
  ): Promise<StoredList<M>[][]>;
  /** The times of all snapshots of the span, ms, ascending. */
  times(sql: Queryable, span: SnapshotSpan): Promise<Float64Array>;
  /** The times of the span's lists of containers, and which of them name this one. */
  containerPresence(sql: Queryable, span: SnapshotSpan, name: string): Promise<ContainerPresence>;
  /**
   * The hours in which each span has lists of the member, ascending, and at least how many. A count may be too high: it may include lists
   * outside the span but in its first or last hour, and lists that were sent twice.
   */
  hours(sql: Queryable, spans: readonly SnapshotSpan[], member: SnapshotMember): Promise<HourOfSnapshots[][]>;
}
