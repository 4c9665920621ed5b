import { describe, expect, it } from 'vitest';
import type { Fault, FetchedRecord } from './log-fault.ts';
import { markOf, startTrace, type Trace, traceStep } from './log-trace.ts';

const FAULT: Fault = { kind: 'shortened', partition: 3, high: 7n, next: 10n };
const read = (offset: number) => 1_000 + offset;
const other = (offset: number) => 5_000 + offset;
const records = (from: number, to: number, of: (offset: number) => number = read): FetchedRecord[] =>
  Array.from({ length: to - from }, (_, index) => ({
    offset: BigInt(from + index),
    fingerprint: of(from + index),
  }));
/** Checkpoints of the records 4 to 9. */
const checkpoints = { first: 4n, fingerprints: records(4, 10).map(({ fingerprint }) => fingerprint) };
const begin = (low = 0n, high = 7n): Trace => {
  const trace = startTrace(FAULT, checkpoints, { low, high });
  if (trace === null) throw new Error('there is nothing to compare');
  return trace;
};

describe('the first record that a comparison of logs reads', () => {
  it.each([
    ['is that of the oldest checkpoint', { low: 0n, high: 7n }, 4n],
    ['is the oldest that the log still has', { low: 6n, high: 7n }, 6n],
    ['is none where the log ends before the oldest checkpoint', { low: 0n, high: 4n }, undefined],
    ['is none in an emptied log', { low: 7n, high: 7n }, undefined],
    ['is none in a recreated log', { low: 0n, high: 0n }, undefined],
  ])('%s', (_name, range, at) => {
    expect(startTrace(FAULT, checkpoints, range)?.at).toBe(at);
  });

  it('is none where there are no checkpoints', () => {
    expect(startTrace(FAULT, { first: 10n, fingerprints: [] }, { low: 0n, high: 7n })).toBeNull();
  });
});

describe('a comparison of fetched records with checkpoints', () => {
  it.each([
    [
      'continues when the fetched records agree',
      records(4, 7),
      { kind: 'more', trace: { at: 7n, matched: 3 } },
    ],
    [
      'skips records before the oldest checkpoint',
      records(0, 5),
      { kind: 'more', trace: { at: 5n, matched: 1 } },
    ],
    ['continues when no record was fetched', [], { kind: 'more', trace: { at: 4n, matched: 0 } }],
    ['ends when every checkpoint agrees', records(0, 12), { kind: 'same', trace: { at: 10n, matched: 6 } }],
    [
      'ends at the first record that replaced another',
      [...records(4, 6), ...records(6, 12, other)],
      { kind: 'differs', trace: { at: 6n, matched: 2 } },
    ],
    [
      'ends at the first record of another log',
      records(0, 12, other),
      { kind: 'differs', trace: { at: 4n, matched: 0 } },
    ],
    ['seeks back to a record that was skipped', records(6, 7), { kind: 'seek', to: 4n }],
    [
      'proves nothing when records between are missing',
      [...records(4, 5), ...records(6, 7)],
      { kind: 'lacking' },
    ],
  ])('%s', (_name, fetched, expected) => {
    expect(traceStep(begin(), fetched)).toMatchObject(expected);
  });

  it('returns the fingerprint of the last record that agrees, and null for another log', () => {
    const step = traceStep(begin(), [...records(4, 6), ...records(6, 7, other)]);
    expect('trace' in step && markOf(step.trace)).toBe(read(5));
    const none = traceStep(begin(), records(4, 7, other));
    expect('trace' in none && markOf(none.trace)).toBeNull();
  });
});

it('finds, in every log that was cut anywhere and filled again, the first record that was not applied', () => {
  const next = 10;
  for (let low = 0; low < next; low += 1) {
    for (let cut = Math.max(low, 4) + 1; cut <= next; cut += 1) {
      for (let high = cut; high <= next + 3; high += 1) {
        const log = [...records(low, cut), ...records(cut, high, other)];
        for (const fetched of [1, 2, 5]) {
          let step = traceStep(begin(BigInt(low), BigInt(high)), []);
          while (step.kind === 'more' && Number(step.trace.at) < high) {
            const from = Number(step.trace.at) - low;
            step = traceStep(step.trace, log.slice(from, from + fetched));
          }
          const found = 'trace' in step ? { at: step.trace.at, mark: markOf(step.trace) } : step;
          expect({ low, cut, high, ...found }).toEqual({
            low,
            cut,
            high,
            at: BigInt(cut),
            mark: read(cut - 1),
          });
        }
      }
    }
  }
});
