import type { Fault, FetchedRecord, LogRange } from './log-fault.ts';
import type { Checkpoints } from './offset-store.ts';

/**
 * The comparison of a log that became shorter or different with the checkpoints of applied records, record by record. The
 * reader continues where the log ends or first differs.
 */
export interface Trace {
  /** The fault that stops the reader if no record agrees. */
  fault: Fault;
  checkpoints: Checkpoints;
  /** The offset of the next record to compare. */
  at: bigint;
  /** The number of compared records that agreed with their checkpoints. */
  matched: number;
}

/** Begins with the oldest checkpoint whose record may still be in the log; null where there is none. */
export function startTrace(fault: Fault, checkpoints: Checkpoints, { low, high }: LogRange): Trace | null {
  const { first, fingerprints } = checkpoints;
  const next = first + BigInt(fingerprints.length);
  const at = first > low ? first : low;
  if (at >= next || at >= high) return null;
  return { fault, checkpoints, at, matched: 0 };
}

/**
 * `more`: continue at `trace.at`. `differs`: the record at `trace.at` differs from its checkpoint. `same`: all checkpoints
 * agree. `lacking`: records are missing in between, so the result is unknown.
 */
export type TraceStep =
  | { kind: 'more' | 'differs' | 'same'; trace: Trace }
  | { kind: 'lacking' }
  | { kind: 'seek'; to: bigint };

/** Compares fetched records with their checkpoints, in order of offset. */
export function traceStep(trace: Trace, records: readonly FetchedRecord[]): TraceStep {
  const { first, fingerprints } = trace.checkpoints;
  const next = first + BigInt(fingerprints.length);
  const begin = trace.at;
  let { at, matched } = trace;
  for (const { offset, fingerprint } of records) {
    if (offset < at) continue;
    if (offset > at) return at === begin ? { kind: 'seek', to: at } : { kind: 'lacking' };
    if (fingerprint !== fingerprints[Number(at - first)])
      return { kind: 'differs', trace: { ...trace, at, matched } };
    at += 1n;
    matched += 1;
    if (at === next) return { kind: 'same', trace: { ...trace, at, matched } };
  }
  return { kind: 'more', trace: { ...trace, at, matched } };
}

/** Returns the fingerprint of the record before `trace.at`, which agreed with its checkpoint; null where no record agreed. */
export function markOf({ checkpoints, at, matched }: Trace): number | null {
  if (matched === 0) return null;
  return checkpoints.fingerprints[Number(at - 1n - checkpoints.first)] ?? null;
}
