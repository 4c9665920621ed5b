import { describe, expect, it } from 'vitest';
import { type Consumer, type Delivery, DONE, type Verdict } from '../bus.ts';
import type { OffsetStore } from './offset-store.ts';
import { createPartitionCommit, type PartitionWork } from './partition-commit.ts';

interface Tx {
  positions: Map<number, bigint>;
  put: string[];
}

const LOST_ANSWER = Object.assign(new Error('the answer was lost'), { code: 'ECONNRESET' });

/** A store in memory, of positions and of what consumers put; `loseAnswer` names transactions by their number, from 1. */
function openStore(loseAnswer: { committed?: number; rolledBack?: number } = {}) {
  let positions = new Map<number, bigint>();
  const put: string[] = [];
  let count = 0;
  async function transact<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    count += 1;
    const number = count;
    const tx: Tx = { positions: new Map(positions), put: [] };
    const result = await work(tx);
    if (number === loseAnswer.rolledBack) throw LOST_ANSWER;
    positions = tx.positions;
    put.push(...tx.put);
    if (number === loseAnswer.committed) throw LOST_ANSWER;
    return result;
  }
  const offsets: Pick<OffsetStore<Tx>, 'advance' | 'retreat' | 'read'> = {
    async advance(tx, _consumer, _topic, moves) {
      const lost = moves.filter(({ partition, from }) => (tx.positions.get(partition) ?? from) !== from);
      for (const { partition, to } of moves) tx.positions.set(partition, to);
      return lost.map(({ partition }) => partition);
    },
    async retreat(tx, _consumer, _topic, moves) {
      for (const { partition, from } of moves) tx.positions.set(partition, from);
    },
    async read(_consumer, _topic, partitions) {
      return partitions.map((partition) => ({
        ...{ partition, epoch: 1, nextOffset: positions.get(partition) ?? null, fingerprint: null },
      }));
    },
  };
  return { transact, offsets: offsets as OffsetStore<Tx>, put, position: (of: number) => positions.get(of) };
}

/** Takes one letter of each text in a transaction. */
const letterByLetter: Consumer<unknown, Tx> = {
  name: 'evaluator',
  async handle(batch, tx) {
    return batch.map(({ value }): Verdict => {
      const text = String(value);
      tx.put.push(text.slice(0, 1));
      return text.length === 1 ? DONE : { kind: 'part', done: text.slice(0, 1), rest: text.slice(1) };
    });
  },
};

function workOf(partition: number, value: string): PartitionWork {
  const delivery: Delivery<unknown> = { topic: 't', partition, offset: 0n, key: '', value, publishedAt: 0 };
  const move = { partition, epoch: 1, from: 0n, to: 1n, fingerprints: [1] };
  return { move, deliveries: [delivery], unreadable: [], weight: 1 };
}

function open(store: ReturnType<typeof openStore>, consumer = letterByLetter) {
  return createPartitionCommit<Tx>({
    ...{ transact: store.transact, offsets: store.offsets, consumer, topic: 't', groupWeight: 100 },
    bury: async () => undefined,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    onFailure: () => undefined,
  });
}

describe('partitions that are taken in part', () => {
  it.each([
    { where: 'it comes first', texts: ['abc', 'x'], put: 'abcx' },
    { where: 'it comes last', texts: ['x', 'abc'], put: 'abcx' },
  ])(
    'go on with what is left of one of them after a lost answer to a commit ($where)',
    async ({ texts, put }) => {
      const store = openStore({ committed: 1 });
      const commit = open(store);
      const outcomes = await Promise.all(
        texts.map((text, partition) => commit.submit(workOf(partition, text))),
      );
      expect(outcomes).toEqual(['committed', 'committed']);
      expect([...store.put].sort().join('')).toBe(put);
      expect([store.position(0), store.position(1)]).toEqual([1n, 1n]);
    },
  );

  it('are taken again after a lost answer to a commit that did not take place', async () => {
    const store = openStore({ rolledBack: 1 });
    const commit = open(store);
    const outcomes = await Promise.all(['abc', 'x'].map((text, at) => commit.submit(workOf(at, text))));
    expect(outcomes).toEqual(['committed', 'committed']);
    expect([...store.put].sort().join('')).toBe('abcx');
  });

  it('are left to their next owner when closing, with their position', async () => {
    const store = openStore();
    let closing: Promise<void> | null = null;
    const commit = open(store, {
      ...letterByLetter,
      committed() {
        closing ??= commit.close();
      },
    });
    const outcome = commit.submit(workOf(0, 'abc'));
    expect(await outcome).toBe('abandoned');
    await closing;
    expect(store.put).toEqual(['a']);
    expect(store.position(0)).toBe(0n);
  });
});
