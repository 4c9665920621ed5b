import { backoffMs } from '@tidewatch/contracts/time/backoff';
import type { Admin } from 'kafkajs';
import { describeFault, type Fault, type FetchedRecord, type LogRange } from './log-fault.ts';
import { type Standing, standingAt } from './log-position.ts';
import { markOf, startTrace, type Trace, traceStep } from './log-trace.ts';
import type { OffsetStore, Position, Rewind } from './offset-store.ts';

/** Pauses between attempts to store that a partition was taken over or is read again. */
export const TAKEOVER_BACKOFF = { minMs: 100, maxMs: 2_000 };

export interface LogComparisonOptions {
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  topic: string;
  consumer: string;
  offsets: Pick<OffsetStore<never>, 'checkpoints' | 'rewind'>;
  /** Makes the next fetch of the partition start at this offset. */
  seekTo(partition: number, offset: bigint): void;
  /** Returns true if `standing` is the current one of its partition and the reader runs. */
  isCurrent(standing: Standing): boolean;
  sleep(ms: number): Promise<void>;
  onFailure(error: unknown): void;
  onRewind(rewind: { partition: number; from: bigint; to: bigint }): void;
  /** Called once the store has the partition at `next` under a new epoch; retried where it fails. */
  moved(standing: Standing, place: { partition: number; epoch: number; next: bigint }): Promise<void>;
  /** Called where the store refuses to move a partition back, since its position or epoch is newer than this reader's. */
  onRefused(): void;
  /** Called where continuing would lose or duplicate records. */
  onFault(reason: string): void;
}

export interface LogComparison {
  /** Returns the current first and end offset of each partition's log. */
  ranges(): Promise<(partition: number) => LogRange>;
  /**
   * Returns the standing of a partition that was taken over, and starts a comparison if the log differs. Null if reading
   * must stop.
   */
  standingOf(position: Position, range: LogRange): Promise<Standing | null>;
  /**
   * Seeks to the position, or starts a comparison if the log does not have that offset, where Kafka's client would silently
   * continue elsewhere.
   */
  seek(standing: Standing, to: bigint): Promise<void>;
  /** Calls `checkEnd` for the partitions whose record before the position was to be fetched again, but was not since the last call. */
  checkEnds(standings: Iterable<Standing>): void;
  /**
   * Starts a comparison if the log ends before the position. A fetch of the record before the position does not show that: where the
   * log ends right before that record, the fetch waits for new records.
   */
  checkEnd(standing: Standing): Promise<void>;
  /** Starts to compare the log with the checkpoints of the records that were applied. */
  compare(standing: Standing, fault: Fault, range: LogRange): Promise<void>;
  /** Continues a comparison with the records that were fetched. */
  follow(standing: Standing, trace: Trace, records: readonly FetchedRecord[]): Promise<void>;
  /** Fetches the record before the position again, since at the end of a log a fetch would wait for new records. */
  fetchMarkAgain(standing: Standing): void;
}

/**
 * Compares a shortened or changed log with the checkpoints of applied records, so that reading can continue where both
 * agree.
 */
export function createLogComparison(options: LogComparisonOptions): LogComparison {
  const { admin, topic, consumer, offsets, seekTo, isCurrent, sleep } = options;
  const { onFailure, onRewind, onFault } = options;
  const unverified = new WeakSet<Standing>();

  async function ranges(): Promise<(partition: number) => LogRange> {
    const rows = new Map((await admin.fetchTopicOffsets(topic)).map((row) => [row.partition, row]));
    return (partition) => {
      const row = rows.get(partition);
      return { low: BigInt(row?.low ?? 0), high: BigInt(row?.high ?? 0) };
    };
  }

  async function seek(standing: Standing, to: bigint): Promise<void> {
    const { partition, next: nextOffset, verify } = standing;
    const range = (await ranges())(partition);
    const found = standingAt({ ...standing, nextOffset, fingerprint: verify }, range);
    if ('kind' in found) return compare(standing, found, range);
    standing.verify = found.verify;
    seekTo(partition, found.verify === null ? nextOffset : to);
  }

  /**
   * Begins a comparison of the log with the applied records; calls `onFault` and returns null if there is nothing to
   * compare.
   */
  async function tracing(
    { partition, epoch, nextOffset, fingerprint: mark }: Position,
    fault: Fault,
    range: LogRange,
  ): Promise<Standing | null> {
    const compares = nextOffset !== null && (fault.kind === 'shortened' || fault.kind === 'replaced');
    const trace = compares
      ? startTrace(fault, await offsets.checkpoints(consumer, topic, partition), range)
      : null;
    if (nextOffset !== null && trace !== null)
      return { partition, epoch, next: nextOffset, mark, verify: mark, trace };
    onFault(describeFault(topic, fault));
    return null;
  }

  async function compare(standing: Standing, fault: Fault, range: LogRange): Promise<void> {
    const { partition, epoch, next: nextOffset, mark: fingerprint } = standing;
    const found = await tracing({ partition, epoch, nextOffset, fingerprint }, fault, range);
    if (found?.trace === undefined || !isCurrent(standing)) return;
    standing.trace = found.trace;
    seekTo(partition, found.trace.at);
  }

  async function checkEnd(standing: Standing): Promise<void> {
    const { partition } = standing;
    const range = (await ranges())(partition);
    const { verify, trace, next } = standing;
    if (verify === null || trace || range.high >= next || !isCurrent(standing)) return;
    await compare(standing, { kind: 'shortened', partition, high: range.high, next }, range);
  }

  function checkEnds(standings: Iterable<Standing>): void {
    for (const standing of standings) {
      const waits = standing.verify !== null && !standing.trace;
      if (waits && unverified.has(standing)) void checkEnd(standing).catch(() => undefined);
      if (waits) unverified.add(standing);
      else unverified.delete(standing);
    }
  }

  /**
   * Continues a comparison with fetched records. Only fetched records show where the log ends: a new leader may not yet
   * know the end that all replicas have.
   */
  async function follow(standing: Standing, given: Trace, records: readonly FetchedRecord[]): Promise<void> {
    const { partition } = standing;
    const step = traceStep(given, records);
    if (step.kind === 'lacking') return onFault(describeFault(topic, given.fault));
    if (step.kind === 'seek') {
      const { low } = (await ranges())(partition);
      if (low > step.to) return onFault(describeFault(topic, given.fault));
      return seekTo(partition, step.to);
    }
    const { trace } = step;
    standing.trace = trace;
    if (step.kind === 'more' && trace.at < (await ranges())(partition).high)
      return seekTo(partition, trace.at);
    if (!isCurrent(standing)) return;
    const mark = markOf(trace);
    if (mark === null) return onFault(describeFault(topic, trace.fault));
    if (step.kind !== 'same') {
      const move = { partition, epoch: standing.epoch, from: standing.next, to: trace.at, fingerprint: mark };
      const epoch = await rewind(standing, move);
      if (epoch === null) return isCurrent(standing) ? options.onRefused() : undefined;
      Object.assign(standing, { epoch, next: trace.at, mark });
      onRewind(move);
    }
    delete standing.trace;
    standing.verify = standing.mark;
    fetchMarkAgain(standing);
  }

  /** Moves the partition back in the store; returns the new epoch, or null once another process owns the partition. */
  async function rewind(standing: Standing, move: Rewind): Promise<number | null> {
    for (let failures = 0; isCurrent(standing); failures += 1) {
      try {
        const epoch = await offsets.rewind(consumer, topic, move);
        if (epoch !== null)
          await options.moved(standing, { partition: move.partition, epoch, next: move.to });
        return epoch;
      } catch (error) {
        if (failures === 0) onFailure(error);
        await sleep(backoffMs(failures, TAKEOVER_BACKOFF, 1));
      }
    }
    return null;
  }

  function fetchMarkAgain({ partition, next, verify, trace }: Standing): void {
    if (trace) seekTo(partition, trace.at);
    else if (verify !== null) seekTo(partition, next - 1n);
  }

  return {
    ranges,
    async standingOf(position, range) {
      const found = standingAt(position, range);
      return 'kind' in found ? tracing(position, found, range) : found;
    },
    seek,
    checkEnd,
    checkEnds,
    compare,
    follow,
    fetchMarkAgain,
  };
}
