import { describe, expect, it } from 'vitest';
import { createLogComparison, type LogComparison } from './log-comparison.ts';
import type { Standing } from './log-position.ts';

const FINGERPRINTS = [10, 11, 12, 13, 14, 15];

/** A comparison on a log that ends at `high`, with the steps that it takes. */
function comparisonOf(high: number, rewound: number | null = 2) {
  const standing: Standing = { partition: 0, epoch: 1, next: 6n, mark: 15, verify: 15 };
  const steps: unknown[] = [];
  const comparison: LogComparison = createLogComparison({
    topic: 'samples',
    consumer: 'writer',
    admin: {
      fetchTopicOffsets: async () => [{ partition: 0, offset: String(high), low: '0', high: String(high) }],
    },
    offsets: {
      checkpoints: async () => ({ first: 0n, fingerprints: FINGERPRINTS }),
      rewind: async () => rewound,
    },
    seekTo: (_partition, offset) => steps.push(offset),
    isCurrent: (one) => one === standing,
    sleep: async () => undefined,
    onFailure: (error) => steps.push(error),
    onRewind: ({ to }) => steps.push({ rewound: to }),
    moved: async () => undefined,
    onRefused: () => steps.push('refused'),
    onFault: (reason) => steps.push(reason),
  });
  return { standing, steps, comparison };
}

describe('the end of a log whose record before the position is to be fetched again', () => {
  it('begins a comparison where the log ends right before that record, at which a fetch would wait', async () => {
    const { standing, steps, comparison } = comparisonOf(5);
    await comparison.checkEnd(standing);
    expect([standing.trace?.at, steps]).toEqual([0n, [0n]]);
  });

  it('changes nothing where the log has that record', async () => {
    const { standing, steps, comparison } = comparisonOf(6);
    await comparison.checkEnd(standing);
    expect([standing.trace, steps]).toEqual([undefined, []]);
  });

  it('changes nothing where the record was fetched while the end was asked for', async () => {
    const { standing, steps, comparison } = comparisonOf(5);
    const asked = comparison.checkEnd(standing);
    standing.verify = null;
    await asked;
    expect([standing.trace, steps]).toEqual([undefined, []]);
  });
});

describe('a comparison that finds the first record that differs', () => {
  const follow = async (rewound: number | null) => {
    const { standing, steps, comparison } = comparisonOf(5, rewound);
    await comparison.checkEnd(standing);
    const records = [10, 11, 12, 13, 99].map((fingerprint, at) => ({ offset: BigInt(at), fingerprint }));
    if (standing.trace) await comparison.follow(standing, standing.trace, records);
    return { standing, steps };
  };

  it('continues there under the epoch that the store returns', async () => {
    const { standing, steps } = await follow(2);
    expect(standing).toEqual({ partition: 0, epoch: 2, next: 4n, mark: 13, verify: 13 });
    expect(steps).toEqual([0n, { rewound: 4n }, 3n]);
  });

  it('reports that the store refuses the move, since a claim of the partition is newer', async () => {
    const { standing, steps } = await follow(null);
    expect([standing.next, steps]).toEqual([6n, [0n, 'refused']]);
  });
});
