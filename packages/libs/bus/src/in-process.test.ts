import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeadLetter } from './attempt.ts';
import { CONTRACT_TOPIC, type ContractTx, describeBus } from './bus.contract.ts';
import { BusUnavailableError, type Consumer, DONE, PublicationRefusedError } from './bus.ts';
import { type InProcessBusOptions, openInProcessBus } from './in-process.ts';

const EVENTS = 'tidewatch.events';
const OUTAGE = Object.assign(new Error('the database is unavailable'), { code: 'ECONNREFUSED' });

/** A store in memory: groups are what one transaction committed. */
function openStore() {
  const groups: unknown[][] = [];
  let failure: Error | null = null;
  let failCommit: Error | null = null;
  return {
    groups,
    fail(error: Error | null) {
      failure = error;
    },
    failCommit(error: Error | null) {
      failCommit = error;
    },
    async transact<R>(work: (tx: ContractTx) => Promise<R>): Promise<R> {
      if (failure !== null) throw failure;
      const put: unknown[] = [];
      const result = await work({ put: (value) => put.push(value) });
      await new Promise((resolve) => setTimeout(resolve, 2));
      const error = failCommit;
      failCommit = null;
      if (error !== null) throw error;
      if (put.length > 0) groups.push(put);
      return result;
    },
  };
}

/** A bus that is closed after the test. */
function openBus(overrides: Partial<InProcessBusOptions<ContractTx>> = {}) {
  const store = openStore();
  const letters: DeadLetter[] = [];
  const bus = openInProcessBus<ContractTx>({
    transact: store.transact,
    clock: Date.now,
    synchronousTopics: [CONTRACT_TOPIC],
    onDeadLetter: (letter) => letters.push(letter),
    ...overrides,
  });
  onTestFinished(() => bus.close());
  return { bus, store, letters };
}

describeBus('in-process', async () => {
  const { bus, store } = openBus();
  return {
    bus,
    committed: () => store.groups.flat(),
    fail: store.fail,
    close: () => bus.close(),
  };
});

const writer: Consumer<unknown, ContractTx> = {
  name: 'writer',
  async handle(batch, tx) {
    for (const { value } of batch) {
      if (value === 'poison') throw Object.assign(new Error('out of range'), { code: '22003' });
      if (value === 'a fault that may pass') throw new Error('a mistake');
      tx.put(value);
    }
    return batch.map(() => DONE);
  },
};

async function startedBus(overrides: Partial<InProcessBusOptions<ContractTx>> = {}) {
  const opened = openBus(overrides);
  opened.bus.subscribe(CONTRACT_TOPIC, writer);
  await opened.bus.start();
  const publish = (value: unknown) => opened.bus.publish(CONTRACT_TOPIC, [{ key: 'a', value }]);
  return { ...opened, publish };
}

describe('group commit', () => {
  it('resolves only after the transaction committed', async () => {
    const { publish, store } = await startedBus();
    await publish(1);
    expect(store.groups).toEqual([[1]]);
  });

  it('puts what arrives during a transaction into the next one', async () => {
    const { publish, store } = await startedBus();
    const first = publish(1);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all([first, publish(2), publish(3), publish(4)]);
    expect(store.groups).toEqual([[1], [2, 3, 4]]);
  });

  it('prepares every consumer in the transaction before the first one handles the batch', async () => {
    const { bus } = openBus();
    const calls: [string, unknown[], ContractTx][] = [];
    for (const name of ['evaluator', 'writer'])
      bus.subscribe<unknown>(CONTRACT_TOPIC, {
        name,
        prepare: (batch, tx) => calls.push([`${name} prepares`, batch.map(({ value }) => value), tx]),
        async handle(batch, tx) {
          calls.push([`${name} handles`, batch.map(({ value }) => value), tx]);
          return batch.map(() => DONE);
        },
      });
    await bus.start();
    await bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 1 }]);
    expect(calls.map(([call]) => call)).toEqual([
      'evaluator prepares',
      'writer prepares',
      'evaluator handles',
      'writer handles',
    ]);
    for (const [, values, tx] of calls) expect([values, tx]).toEqual([[1], calls[0]?.[2]]);
  });

  it('limits the weight of one transaction, and gives a heavier publication a transaction of its own', async () => {
    const { publish, store } = await startedBus({
      weigh: (value) => value as number,
      limits: { groupWeight: 10 },
    });
    await Promise.all([publish(50), publish(4), publish(6), publish(1)]);
    expect(store.groups).toEqual([[50], [4, 6], [1]]);
  });

  it('refuses a publication at once when the queue is full', async () => {
    const { publish } = await startedBus({ limits: { queuedPublications: 2 } });
    const outcomes = await Promise.allSettled([publish(1), publish(2), publish(3)]);
    expect(outcomes.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it.each([
    ['poison', PublicationRefusedError, ['poison']],
    ['a fault that may pass', BusUnavailableError, []],
  ])('%s fails alone', async (value, refusal, dead) => {
    const { publish, store, bus, letters } = await startedBus({ sleep: async () => undefined });
    const outcomes = await Promise.allSettled([1, 2, value, 4, 5, 6].map(publish));
    const reasons = outcomes.map((each) => (each.status === 'rejected' ? each.reason : null));
    expect(reasons).toEqual([null, null, expect.any(refusal), null, null, null]);
    expect(store.groups.flat()).toEqual([1, 2, 4, 5, 6]);
    expect(letters.map((letter) => letter.delivery.value)).toEqual(dead);
    expect(bus.health().ok).toBe(true);
  });

  it('reports a dead letter once, refuses its publication, and stores the publications of the same group', async () => {
    const { bus, store, letters } = openBus();
    for (const name of ['writer', 'evaluator']) {
      bus.subscribe<unknown>(CONTRACT_TOPIC, {
        name,
        async handle(batch, tx) {
          return batch.map(({ value }) => {
            if (value === 'strange') return { kind: 'deadLetter', reason: 'unknown kind' };
            tx.put(value);
            return DONE;
          });
        },
      });
    }
    await bus.start();
    const publish = (value: unknown) => bus.publish(CONTRACT_TOPIC, [{ key: 'a', value }]);
    const outcomes = await Promise.allSettled([1, 'strange', 2].map(publish));
    expect(outcomes.map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: new PublicationRefusedError('unknown kind') });
    expect(store.groups).toEqual([[1, 2, 1, 2]]);
    expect(letters.map((letter) => [letter.consumer, letter.reason])).toEqual([['writer', 'unknown kind']]);
  });

  it('waits for a publisher that usually publishes with others, so that they share a transaction', async () => {
    const { publish, store } = await startedBus({ clock: () => 0, sleep: () => new Promise(() => {}) });
    await Promise.all([publish(1), publish(2), publish(3)]);
    const earlier = publish(4);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all([earlier, publish(5), publish(6)]);
    expect(store.groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('waits only for a moment for a publisher that does not publish again', async () => {
    const { publish, store } = await startedBus();
    await Promise.all([publish(1), publish(2), publish(3)]);
    await publish(4);
    expect(store.groups).toEqual([[1, 2, 3], [4]]);
  });

  it('retries through a short outage of the store without an error for publishers', async () => {
    const { publish, store } = await startedBus();
    store.fail(OUTAGE);
    setTimeout(() => store.fail(null), 80);
    await publish(1);
    expect(store.groups).toEqual([[1]]);
  });

  it('refuses publications at once during a long outage, and accepts them again after it', async () => {
    const { publish, store, bus } = await startedBus({ limits: { patienceMs: 100 } });
    store.fail(OUTAGE);
    await expect(publish(1)).rejects.toBeInstanceOf(BusUnavailableError);
    expect(bus.health()).toEqual({ ok: false, reasons: [`${CONTRACT_TOPIC}: the database is unavailable`] });
    await expect(publish(2)).rejects.toBeInstanceOf(BusUnavailableError);
    store.fail(null);
    await expect.poll(() => bus.health().ok).toBe(true);
    await publish(3);
    expect(store.groups).toEqual([[3]]);
  });

  it('reports a failure and refuses publications while a transaction does not end, and accepts them once it does', async () => {
    let now = 0;
    const { bus, store } = openBus({ clock: () => now });
    let end: () => void = () => undefined;
    bus.subscribe(CONTRACT_TOPIC, {
      name: 'slow',
      async handle(batch) {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return batch.map(() => DONE);
      },
    });
    bus.subscribe(CONTRACT_TOPIC, writer);
    await bus.start();
    const first = bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 1 }]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(bus.health().ok).toBe(true);
    now += 10_000;
    expect(bus.health().reasons).toEqual([`${CONTRACT_TOPIC}: a transaction has not ended for 10 seconds`]);
    await expect(bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 2 }])).rejects.toThrow('has not ended');
    end();
    await first;
    expect(bus.health().ok).toBe(true);
    expect(store.groups).toEqual([[1]]);
  });

  it('calls rolledBack with "unknown" when the result of a commit was lost', async () => {
    const outcomes: string[] = [];
    const { bus, store } = openBus();
    bus.subscribe(CONTRACT_TOPIC, { ...writer, rolledBack: (outcome) => outcomes.push(outcome) });
    await bus.start();
    store.failCommit(OUTAGE);
    await bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 1 }]);
    expect(outcomes).toEqual(['unknown']);
  });
});

/** Processes one letter of each text in a transaction. */
const letterByLetter: Consumer<unknown, ContractTx> = {
  name: 'evaluator',
  async handle(batch) {
    const left = new Set<string>();
    return batch.map(({ key, value }) => {
      const [done, rest] = [String(value).slice(0, 1), String(value).slice(1)];
      if (left.has(key)) return { kind: 'part', done: null, rest: value };
      if (rest === '') return DONE;
      left.add(key);
      return { kind: 'part', done, rest };
    });
  },
};

describe('publications that are processed in part', () => {
  it('resolve once every part is processed, and delay no other key', async () => {
    const { bus, store } = openBus();
    bus.subscribe(CONTRACT_TOPIC, letterByLetter);
    bus.subscribe(CONTRACT_TOPIC, writer);
    await bus.start();
    const ended: string[] = [];
    const publish = (key: string, value: string) =>
      bus.publish(CONTRACT_TOPIC, [{ key, value }]).then(() => ended.push(value));
    const storm = 's'.repeat(200);
    const long = publish('a', storm);
    await expect.poll(() => store.groups.length, { interval: 1 }).toBeGreaterThan(0);
    await Promise.all([long, publish('a', 'y'), publish('b', 'x')]);
    expect(ended).toEqual(['x', storm, 'y']);
    const taken = store.groups.flat();
    expect(taken.filter((letter) => letter !== 'x').join('')).toBe(`${storm}y`);
    expect(store.groups.find((group) => group.includes('x'))).toEqual(['x']);
  });

  it('are processed whole before later ones of their key, although a poison message halves their group', async () => {
    const { bus, store } = openBus();
    bus.subscribe(CONTRACT_TOPIC, letterByLetter);
    bus.subscribe(CONTRACT_TOPIC, {
      ...writer,
      async handle(batch, tx) {
        if (batch.some(({ value }) => value === 'p')) throw new Error('a mistake');
        return writer.handle(batch, tx);
      },
    });
    await bus.start();
    const publish = (key: string, value: string) => bus.publish(CONTRACT_TOPIC, [{ key, value }]);
    const poison = expect(publish('b', 'p')).rejects.toThrow(BusUnavailableError);
    await Promise.all([
      publish('a', 'rst'),
      publish('a', 'uv'),
      publish('a', 'w'),
      publish('c', 'x'),
      poison,
    ]);
    const taken = store.groups.flat();
    expect(taken.filter((letter) => letter !== 'x').join('')).toBe('rstuvw');
    expect(taken).toContain('x');
  });

  it('are refused when a part of them becomes a dead letter', async () => {
    const { bus, letters } = openBus();
    bus.subscribe(CONTRACT_TOPIC, letterByLetter);
    bus.subscribe(CONTRACT_TOPIC, {
      ...writer,
      handle: async (batch) =>
        batch.map(({ value }) => (value === 'p' ? { kind: 'deadLetter', reason: 'poison' } : DONE)),
    });
    await bus.start();
    await expect(bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 'pq' }])).rejects.toThrow(
      PublicationRefusedError,
    );
    expect(letters.map(({ delivery }) => delivery.value)).toEqual(['pq']);
  });

  it('are refused when the bus closes before every part is processed', async () => {
    const { bus, store } = openBus();
    bus.subscribe(CONTRACT_TOPIC, letterByLetter);
    bus.subscribe(CONTRACT_TOPIC, writer);
    await bus.start();
    const long = bus.publish(CONTRACT_TOPIC, [{ key: 'a', value: 's'.repeat(200) }]);
    const refused = expect(long).rejects.toThrow(BusUnavailableError);
    await expect.poll(() => store.groups.length, { interval: 1 }).toBeGreaterThan(0);
    await bus.close();
    await refused;
  });
});

describe('asynchronous topics', () => {
  it('resolve publish while their consumer fails, and deliver once it works again', async () => {
    const { bus, store } = openBus({ sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) });
    let broken = true;
    bus.subscribe<unknown>(EVENTS, {
      name: 'notifier',
      async handle(batch, tx) {
        if (broken) throw OUTAGE;
        for (const { value } of batch) tx.put(value);
        return batch.map(() => DONE);
      },
    });
    await bus.start();
    await bus.publish(EVENTS, [{ key: 'alr', value: 'fired' }]);
    await expect.poll(() => bus.health().ok).toBe(false);
    broken = false;
    await expect.poll(() => store.groups).toEqual([['fired']]);
  });

  it('make a poison message a dead letter and deliver the other messages of its batch', async () => {
    const { bus, store, letters } = openBus({ sleep: async () => undefined });
    bus.subscribe(EVENTS, writer);
    await bus.start();
    await bus.publish(
      EVENTS,
      ['x', 'poison', 'y'].map((value) => ({ key: 'a', value })),
    );
    await expect.poll(() => store.groups.flat()).toEqual(['x', 'y']);
    expect(letters.map((letter) => [letter.delivery.value, letter.consumer])).toEqual([['poison', 'writer']]);
  });
});
