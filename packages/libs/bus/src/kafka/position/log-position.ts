import type { Fault, FetchedRecord, LogRange } from './log-fault.ts';
import type { Trace } from './log-trace.ts';
import type { Move, Position } from './offset-store.ts';

/**
 * The next step of a reader in one partition: pure, so that tests try every order of crashes, takeovers and lost answers.
 * The position in the store decides; the offset that Kafka keeps for the group is only where fetching begins.
 */
export interface Standing {
  partition: number;
  epoch: number;
  /** The next record to apply. */
  next: bigint;
  /** Fingerprint of the record before `next`; null where none is known. */
  mark: number | null;
  /** Equals `mark` until the reader has fetched that record again after a takeover or a failed fetch. */
  verify: number | null;
  /** Set while the log, which differs from the one that was read or is shorter, is compared with what was applied. */
  trace?: Trace;
}

/** Where to continue in a partition that was just taken over. */
export function standingAt(position: Position, { low, high }: LogRange): Standing | Fault {
  const { partition, epoch, nextOffset: next, fingerprint } = position;
  // Nothing was ever applied: everything that is kept is still to be read.
  if (next === null) return { partition, epoch, next: low, mark: null, verify: null };
  if (next > high) return { kind: 'shortened', partition, high, next };
  if (next < low) return { kind: 'lacking', partition, from: next, to: low };
  return { partition, epoch, next, mark: fingerprint, verify: next > low ? fingerprint : null };
}

/** `records` from `first` on are to be applied, which moves the partition; `verified` where the record before was seen. */
export type Step =
  | { kind: 'seek'; to: bigint }
  | { kind: 'nothing'; verified: boolean }
  | { kind: 'apply'; first: number; move: Move; verified: boolean }
  | Fault;

/** What to do with records as they were fetched, in their order; `high` is the log's end at that time. */
export function stepOf(standing: Standing, records: readonly FetchedRecord[], high: bigint): Step {
  const { partition, epoch, next, mark: known, verify } = standing;
  if (high < next) return { kind: 'shortened', partition, high, next };
  const wanted = verify === null ? next : next - 1n;
  const oldest = records[0];
  if (!oldest) return { kind: 'nothing', verified: false };
  if (oldest.offset > wanted) return { kind: 'seek', to: wanted };
  let verified = false;
  let first = -1;
  let expected = next;
  const fingerprints: number[] = [];
  for (const [index, { offset, fingerprint }] of records.entries()) {
    // Kafka's client fetches it again whenever it starts over, as it does where the log is shorter than before.
    if (known !== null && offset === next - 1n) {
      if (fingerprint !== known) return { kind: 'replaced', partition, offset };
      verified = verify !== null;
    }
    if (offset < expected) continue;
    if (offset > expected) return { kind: 'lacking', partition, from: expected, to: offset };
    if (first < 0) first = index;
    expected = offset + 1n;
    fingerprints.push(fingerprint);
  }
  if (first < 0) return { kind: 'nothing', verified };
  return {
    kind: 'apply',
    first,
    move: { partition, epoch, from: next, to: expected, fingerprints },
    verified,
  };
}

/** The compare-and-swap by which the store accepts a move: only from the owner, and only from the stored position. */
export function acceptsMove(stored: Position, move: Move): boolean {
  return stored.epoch === move.epoch && (stored.nextOffset === null || stored.nextOffset === move.from);
}

/** Whether the stored position shows that a move was applied, after a commit whose result was lost. */
export function isApplied(stored: Position | undefined, move: Move): boolean {
  return stored !== undefined && stored.nextOffset !== null && stored.nextOffset >= move.to;
}
