import { describe, expect, it } from 'vitest';
import { type Consumer, type Delivery, DONE, type Verdict } from '../../bus.ts';
import { createJsonFormat } from '../format/json-format.ts';
import type { OffsetStore, StoredRest } from '../position/offset-store.ts';
import { createPartitionCommit, type PartitionWork } from './partition-commit.ts';

interface Tx {
  positions: Map<number, bigint>;
  rests: StoredRest[];
  put: string[];
}

const LOST_ANSWER = Object.assign(new Error('the answer was lost'), { code: 'ECONNRESET' });

const format = createJsonFormat<unknown>();

/**
 * A store in memory with positions, rests and consumers' values; `loseAnswer` numbers the transactions, from 1, whose
 * result is lost.
 */
function openStore(loseAnswer: { committed?: number; rolledBack?: number } = {}) {
  let positions = new Map<number, bigint>();
  let rests: StoredRest[] = [];
  const put: string[] = [];
  const lost = new Set<number>();
  let count = 0;
  async function transact<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    count += 1;
    const number = count;
    const tx: Tx = { positions: new Map(positions), rests: [...rests], put: [] };
    const result = await work(tx);
    if (number === loseAnswer.rolledBack) throw LOST_ANSWER;
    positions = tx.positions;
    rests = tx.rests;
    put.push(...tx.put);
    if (number === loseAnswer.committed) throw LOST_ANSWER;
    return result;
  }
  const offsets: Pick<OffsetStore<Tx>, 'advance' | 'leave' | 'rests' | 'read'> = {
    async advance(tx, _consumer, _topic, moves) {
      const others = moves.filter(
        ({ partition, from }) => lost.has(partition) || (tx.positions.get(partition) ?? from) !== from,
      );
      for (const { partition, to } of moves) tx.positions.set(partition, to);
      return others.map(({ partition }) => partition);
    },
    async leave(tx, _consumer, _topic, gone, kept) {
      const replaced = [...gone, ...kept];
      const others = tx.rests.filter(
        (rest) => !replaced.some(({ partition, seq }) => partition === rest.partition && seq === rest.seq),
      );
      tx.rests = [...others, ...kept].sort((a, b) => a.partition - b.partition || a.seq - b.seq);
    },
    async rests(_consumer, _topic, partitions) {
      return rests.filter(({ partition }) => partitions.includes(partition));
    },
    async read(_consumer, _topic, partitions) {
      return partitions.map((partition) => ({
        partition,
        epoch: 1,
        nextOffset: positions.get(partition) ?? null,
        fingerprint: null,
      }));
    },
  };
  return {
    transact,
    offsets: offsets as OffsetStore<Tx>,
    put,
    position: (of: number) => positions.get(of),
    rests: () => rests.map(({ partition, value }) => [partition, ...format.decode(value)]),
    stored: () => rests,
    transactions: () => count,
    /** Makes another process the owner of the partition. */
    lose: (partition: number) => lost.add(partition),
  };
}

/** Processes one letter of each text in a transaction. */
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

function workOf(partition: number, value: string, from = 0n): PartitionWork {
  const delivery: Delivery<unknown> = { topic: 't', partition, offset: from, key: '', value, publishedAt: 0 };
  const move = { partition, epoch: 1, from, to: from + 1n, fingerprints: [1] };
  return { move, deliveries: [delivery], unreadable: [], weight: 1 };
}

function open(store: ReturnType<typeof openStore>, consumer = letterByLetter, onRoom = () => undefined) {
  return createPartitionCommit<Tx>({
    transact: store.transact,
    offsets: store.offsets,
    consumer,
    topic: 't',
    format,
    groupWeight: 100,
    bury: async () => undefined,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    onFailure: () => undefined,
    onRoom,
  });
}

const sorted = ({ put }: ReturnType<typeof openStore>) => [...put].sort().join('');

describe('partitions with records that are processed in part', () => {
  it('move past such a record at once, and store what is left of it until it is processed', async () => {
    const store = openStore();
    const commit = open(store);
    expect(await commit.submit(workOf(0, 'abc'))).toBe('committed');
    expect([store.position(0), store.put, store.rests()]).toEqual([1n, ['a'], [[0, 'bc']]]);
    await expect.poll(() => store.put).toEqual(['a', 'b', 'c']);
    expect(store.rests()).toEqual([]);
  });

  it('process later records, of the same partition and of others, before all that is left is processed', async () => {
    const store = openStore();
    const commit = open(store);
    await commit.submit(workOf(0, 'abcdef'));
    await Promise.all([commit.submit(workOf(0, 'x', 1n)), commit.submit(workOf(1, 'y'))]);
    expect([store.position(0), store.position(1)]).toEqual([2n, 1n]);
    expect(store.rests()).toHaveLength(1);
    expect(store.put).toEqual(expect.arrayContaining(['x', 'y']));
    await expect.poll(() => sorted(store)).toBe('abcdefxy');
  });

  it.each([
    ['was committed with a batch', { committed: 1 }],
    ['was committed with rests alone', { committed: 2 }],
    ['was rolled back with a batch', { rolledBack: 1 }],
    ['was rolled back with rests alone', { rolledBack: 2 }],
  ])('take each part once after a lost answer to a transaction that was %s', async (_name, loseAnswer) => {
    const store = openStore(loseAnswer);
    const commit = open(store);
    expect(await commit.submit(workOf(0, 'abc'))).toBe('committed');
    expect(await commit.submit(workOf(1, 'x'))).toBe('committed');
    await expect.poll(() => sorted(store)).toBe('abcx');
    expect([store.position(0), store.position(1), store.rests()]).toEqual([1n, 1n, []]);
  });

  it('leave their rests to the next owner when closing, and the next owner processes them first', async () => {
    const store = openStore();
    const commit = open(store, {
      ...letterByLetter,
      committed() {
        closing ??= commit.close();
      },
    });
    let closing: Promise<void> | null = null;
    await commit.submit(workOf(0, 'abc'));
    await closing;
    expect([store.put, store.rests()]).toEqual([['a'], [[0, 'bc']]]);
    const next = open(store);
    next.resume({ partition: 0, epoch: 1, next: 1n }, store.stored());
    await next.submit(workOf(0, 'x', 1n));
    await expect.poll(() => store.rests()).toEqual([]);
    expect(store.put.slice(0, 2)).toEqual(['a', 'b']);
    expect(sorted(store)).toBe('abcx');
  });

  it('process no more rests after `release`', async () => {
    const store = openStore();
    const commit = open(store);
    await commit.submit(workOf(0, 'abcdefgh'));
    await commit.release();
    const taken = store.put.length;
    expect(store.rests()).toEqual([[0, 'abcdefgh'.slice(taken)]]);
    await commit.submit(workOf(1, 'x'));
    expect(store.put).toHaveLength(taken + 1);
  });

  it('process no more rests once another process has taken them over', async () => {
    const store = openStore();
    const commit = open(store);
    await commit.submit(workOf(0, 'abcdefgh'));
    store.lose(0);
    expect(await commit.submit(workOf(1, 'x'))).toBe('committed');
    const [left] = store.rests();
    expect(left).toBeDefined();
    expect(await commit.submit(workOf(2, 'y'))).toBe('committed');
    expect(store.rests()).toEqual([left]);
  });

  it('are full while their rests exceed the limit, and call onRoom when there is room again', async () => {
    const store = openStore();
    let rooms = 0;
    const halves = {
      ...letterByLetter,
      handle: async (batch: readonly Delivery<unknown>[]) =>
        batch.map(({ value }): Verdict => {
          const half = String(value).slice(0, String(value).length / 2);
          return half.length < 1_000_000 ? DONE : { kind: 'part', done: half, rest: half };
        }),
    };
    const commit = open(store, halves, () => {
      rooms += 1;
      return undefined;
    });
    await commit.submit(workOf(0, 'x'.repeat(6_000_000)));
    expect([commit.isFull(0), commit.isFull(1)]).toEqual([true, false]);
    await expect.poll(() => store.rests()).toEqual([]);
    expect([commit.isFull(0), rooms]).toEqual([false, 1]);
  });

  it('make a delivery that fails every transaction a dead letter, also when it is a rest', async () => {
    const store = openStore();
    const commit = open(store, {
      ...letterByLetter,
      async handle(batch, tx) {
        if (batch.some(({ value }) => String(value).startsWith('!'))) throw new Error('poison');
        return letterByLetter.handle(batch, tx);
      },
    });
    await commit.submit(workOf(0, 'ab!c'));
    await commit.submit(workOf(1, 'x'));
    await expect.poll(() => store.rests()).toEqual([]);
    expect(sorted(store)).toBe('abx');
  });
});
