import type { Fault, FetchedRecord, LogRange } from './log-fault.ts';
import type { Trace } from './log-trace.ts';
import type { Move, Position } from './offset-store.ts';

/**
 * What a reader knows about one partition. The next step is a pure function of it, so that tests can try every order of
 * crashes, takeovers and lost answers. The position in the store decides where reading continues, not the offset in Kafka.
 */
export interface Standing {
  partition: number;
  epoch: number;
  /** The offset of the next record to apply. */
  next: bigint;
  /** Fingerprint of the record before `next`; null if unknown. */
  mark: number | null;
  /** Equals `mark` until the reader has fetched that record again after a takeover or a failed fetch. */
  verify: number | null;
  /** Set while the log, which is shorter or different than before, is compared with the applied records. */
  trace?: Trace;
}

/** Returns where reading continues in a partition that was just taken over, or the fault that prevents it. */
export function standingAt(position: Position, { low, high }: LogRange): Standing | Fault {
  const { partition, epoch, nextOffset: next, fingerprint } = position;
  // No record was ever applied, so reading starts at the oldest record.
  if (next === null) return { partition, epoch, next: low, mark: null, verify: null };
  if (next > high) return { kind: 'shortened', partition, high, next };
  if (next < low) return { kind: 'lacking', partition, from: next, to: low };
  return { partition, epoch, next, mark: fingerprint, verify: next > low ? fingerprint : null };
}

/**
 * The next step of a reader. `apply`: store the records from index `first` on with `move`. `verified`: the record before
 * the position was fetched again and is unchanged.
 */
export type Step =
  | { kind: 'seek'; to: bigint }
  | { kind: 'nothing'; verified: boolean }
  | { kind: 'apply'; first: number; move: Move; verified: boolean }
  | Fault;

/**
 * Decides the next step for fetched records, which are in order of offset; `high` is the end of the log when they were
 * fetched.
 */
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
    // Kafka's client fetches the record before the position again when it restarts, for example after the log became
    // shorter.
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

/** Returns true if the store accepts a move: its epoch is the owner's, and it starts from the stored position. */
export function acceptsMove(stored: Position, move: Move): boolean {
  return stored.epoch === move.epoch && (stored.nextOffset === null || stored.nextOffset === move.from);
}

/** Returns true if the stored position shows that a move was applied; needed after a commit whose result was lost. */
export function isApplied(stored: Position | undefined, move: Move): boolean {
  return stored !== undefined && stored.nextOffset !== null && stored.nextOffset >= move.to;
}
