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
/** Of the records 4 to 9. */
const checkpoints = { first: 4n, fingerprints: records(4, 10).map(({ fingerprint }) => fingerprint) };
const begin = (low = 0n, high = 7n): Trace => {
  const trace = startTrace(FAULT, checkpoints, { low, high });
  if (trace === null) throw new Error('there is nothing to compare');
  return trace;
};

describe('where a comparison begins', () => {
  it.each([
    ['with the oldest checkpoint', { low: 0n, high: 7n }, 4n],
    ['with the oldest record that is kept', { low: 6n, high: 7n }, 6n],
    ['nowhere, where the log ends before the oldest checkpoint', { low: 0n, high: 4n }, undefined],
    ['nowhere, in an emptied log', { low: 7n, high: 7n }, undefined],
    ['nowhere, in a recreated log', { low: 0n, high: 0n }, undefined],
  ])('%s', (_name, range, at) => {
    expect(startTrace(FAULT, checkpoints, range)?.at).toBe(at);
  });

  it('nowhere, where nothing is known of what was applied', () => {
    expect(startTrace(FAULT, { first: 10n, fingerprints: [] }, { low: 0n, high: 7n })).toBeNull();
  });
});

describe('what comparing records finds', () => {
  it.each([
    [
      'the same log, as far as it was fetched',
      records(4, 7),
      { kind: 'more', trace: { at: 7n, matched: 3 } },
    ],
    [
      'the same log, leaving out older records',
      records(0, 5),
      { kind: 'more', trace: { at: 5n, matched: 1 } },
    ],
    ['nothing in nothing', [], { kind: 'more', trace: { at: 4n, matched: 0 } }],
    ['that all of it is there', records(0, 12), { kind: 'same', trace: { at: 10n, matched: 6 } }],
    [
      'the first record that took the place of another',
      [...records(4, 6), ...records(6, 12, other)],
      { kind: 'differs', trace: { at: 6n, matched: 2 } },
    ],
    ['another log', records(0, 12, other), { kind: 'differs', trace: { at: 4n, matched: 0 } }],
    ['that it has to go back', records(6, 7), { kind: 'seek', to: 4n }],
    ['that records are missing between', [...records(4, 5), ...records(6, 7)], { kind: 'lacking' }],
  ])('%s', (_name, fetched, expected) => {
    expect(traceStep(begin(), fetched)).toMatchObject(expected);
  });

  it('knows the last record that agrees, and none of another log', () => {
    const step = traceStep(begin(), [...records(4, 6), ...records(6, 7, other)]);
    expect('trace' in step && markOf(step.trace)).toBe(read(5));
    const none = traceStep(begin(), records(4, 7, other));
    expect('trace' in none && markOf(none.trace)).toBeNull();
  });
});

it('finds for every log, cut anywhere and filled again, the one place from which on nothing was applied', () => {
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
