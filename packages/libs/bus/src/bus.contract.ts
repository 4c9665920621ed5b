import { afterEach, describe, expect, it } from 'vitest';
import { type Bus, BusUnavailableError, type Consumer, type Delivery, type Verdict } from './bus.ts';

/** A transaction of the contract's in-memory store: values passed to `put` are visible only after its commit. */
export interface ContractTx {
  put(value: unknown): void;
}

/** The bus and the in-memory store that an implementation provides for one test. */
export interface BusUnderTest {
  bus: Bus<ContractTx>;
  /** All committed values, in order. */
  committed(): unknown[];
  /** Makes later transactions fail with this error, or succeed again. */
  fail(error: Error | null): void;
  close(): Promise<void>;
}

export const CONTRACT_TOPIC = 'tidewatch.samples';

/**
 * Timeout of an assertion that waits for deliveries, since consumers of a Kafka topic first need an assignment of
 * partitions.
 */
const WITHIN = { timeout: 20_000 };

const done = (batch: readonly Delivery<unknown>[]): Verdict[] => batch.map(() => ({ kind: 'done' }));

/** A consumer that stores each value; `decide` may return another verdict for a value, or an error to throw. */
function storing(name: string, decide?: (value: unknown) => Verdict | Error): Consumer<unknown, ContractTx> {
  return {
    name,
    async handle(batch, tx) {
      const verdicts = done(batch);
      for (const [index, { value }] of batch.entries()) {
        const decision = decide?.(value);
        if (decision instanceof Error) throw decision;
        if (decision !== undefined) verdicts[index] = decision;
        else tx.put(value);
      }
      return verdicts;
    },
  };
}

/** Test suite that every implementation of the bus passes. */
export function describeBus(name: string, open: () => Promise<BusUnderTest>): void {
  describe(`${name}: the contract of a bus`, () => {
    let under: BusUnderTest;

    async function started(...consumers: Consumer<unknown, ContractTx>[]): Promise<Bus<ContractTx>> {
      under = await open();
      for (const consumer of consumers) under.bus.subscribe(CONTRACT_TOPIC, consumer);
      await under.bus.start();
      return under.bus;
    }

    const publish = (value: unknown, key = 'a') => under.bus.publish(CONTRACT_TOPIC, [{ key, value }]);
    const eventually = (values: unknown[]) => expect.poll(() => under.committed(), WITHIN).toEqual(values);

    afterEach(() => under.close());

    it('delivers what was published to every consumer', async () => {
      await started(storing('first'), storing('second'));
      await publish(1);
      await eventually([1, 1]);
    });

    it('keeps the order of one key', async () => {
      await started(storing('writer'));
      await Promise.all([1, 2, 3, 4, 5].map((value) => publish(value)));
      await publish(6);
      await eventually([1, 2, 3, 4, 5, 6]);
    });

    it('refuses publications before its start and after its close', async () => {
      under = await open();
      await expect(publish(1)).rejects.toBeInstanceOf(BusUnavailableError);
      await under.bus.start();
      await under.bus.close();
      await expect(publish(1)).rejects.toBeInstanceOf(BusUnavailableError);
    });

    it('redelivers a batch when a consumer throws', async () => {
      let calls = 0;
      await started(storing('writer', () => (++calls === 1 ? new Error('once') : (undefined as never))));
      await publish(1);
      await eventually([1]);
      expect(calls).toBe(2);
    });

    it('redelivers a batch when a consumer returns retry', async () => {
      let calls = 0;
      await started(
        storing('writer', () => (++calls < 3 ? { kind: 'retry', reason: 'not yet' } : (undefined as never))),
      );
      await publish(1);
      await eventually([1]);
    });

    it('redelivers what a consumer left of a message before later messages of its key', async () => {
      await started({
        name: 'parts',
        async handle(batch, tx) {
          const left = new Set<string>();
          return batch.map(({ key, value }): Verdict => {
            const text = String(value);
            if (left.has(key)) return { kind: 'part', done: null, rest: value };
            tx.put(text.slice(0, 1));
            if (text.length === 1) return { kind: 'done' };
            left.add(key);
            return { kind: 'part', done: text.slice(0, 1), rest: text.slice(1) };
          });
        },
      });
      await Promise.all(['abc', 'de', 'f'].map((value) => publish(value)));
      await publish('g');
      await eventually(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    });

    it('stores the other messages of a batch when one becomes a dead letter', async () => {
      const bus = await started(
        storing('writer', (value) =>
          value === 'poison' ? { kind: 'deadLetter', reason: 'poison' } : (undefined as never),
        ),
      );
      const outcomes = Promise.allSettled(['x', 'poison', 'y'].map((value) => publish(value)));
      await outcomes;
      await eventually(['x', 'y']);
      expect(bus.health().ok).toBe(true);
    });

    it('calls rolledBack of a consumer before it redelivers a batch whose transaction was rolled back', async () => {
      const calls: string[] = [];
      const consumer: Consumer<unknown, ContractTx> = {
        name: 'evaluator',
        async handle(batch) {
          calls.push('handle');
          if (calls.length === 1) throw new Error('once');
          return done(batch);
        },
        committed: () => calls.push('committed'),
        rolledBack: (outcome) => calls.push(outcome),
      };
      await started(consumer);
      await publish(1);
      await expect.poll(() => calls, WITHIN).toEqual(['handle', 'rolled_back', 'handle', 'committed']);
    });

    it('stores every accepted message before it closes', async () => {
      const bus = await started(storing('writer'));
      const published = publish(1);
      await bus.close();
      await published;
      await eventually([1]);
    });
  });
}
