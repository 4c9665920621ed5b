import { afterEach, describe, expect, it } from 'vitest';
import { type Bus, BusUnavailableError, type Consumer, type Delivery, type Verdict } from './bus.ts';

/** A transaction of the stand-in store of the contract: what is put is seen only once it commits. */
export interface ContractTx {
  put(value: unknown): void;
}

/** What an implementation provides for one test. */
export interface BusUnderTest {
  bus: Bus<ContractTx>;
  /** Everything that was committed, in order. */
  committed(): unknown[];
  /** From now on transactions fail, or do not. */
  fail(error: Error | null): void;
  close(): Promise<void>;
}

export const CONTRACT_TOPIC = 'tidewatch.samples';

/** A log's consumers may first have to agree on who reads what. */
const WITHIN = { timeout: 20_000 };

const done = (batch: readonly Delivery<unknown>[]): Verdict[] => batch.map(() => ({ kind: 'done' }));

/** A consumer that stores the values, or does what `judge` says. */
function storing(name: string, judge?: (value: unknown) => Verdict | Error): Consumer<unknown, ContractTx> {
  return {
    name,
    async handle(batch, tx) {
      const verdicts = done(batch);
      for (const [index, { value }] of batch.entries()) {
        const judged = judge?.(value);
        if (judged instanceof Error) throw judged;
        if (judged !== undefined) verdicts[index] = judged;
        else tx.put(value);
      }
      return verdicts;
    },
  };
}

/** The suite that every bus passes. */
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

    afterEach(async () => {
      await under.close();
    });

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

    it('delivers again when a consumer throws', async () => {
      let calls = 0;
      await started(storing('writer', () => (++calls === 1 ? new Error('once') : (undefined as never))));
      await publish(1);
      await eventually([1]);
      expect(calls).toBe(2);
    });

    it('delivers again when a consumer asks for it', async () => {
      let calls = 0;
      await started(
        storing('writer', () => (++calls < 3 ? { kind: 'retry', reason: 'not yet' } : (undefined as never))),
      );
      await publish(1);
      await eventually([1]);
    });

    it('delivers what a consumer leaves of a message again, before what follows it under its key', async () => {
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

    it('stores the neighbours of a dead letter', async () => {
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

    it('tells a consumer that its transaction was rolled back before it delivers again', async () => {
      const told: string[] = [];
      const consumer: Consumer<unknown, ContractTx> = {
        name: 'evaluator',
        async handle(batch) {
          told.push('handle');
          if (told.length === 1) throw new Error('once');
          return done(batch);
        },
        committed: () => told.push('committed'),
        rolledBack: (outcome) => told.push(outcome),
      };
      await started(consumer);
      await publish(1);
      await expect.poll(() => told, WITHIN).toEqual(['handle', 'rolled_back', 'handle', 'committed']);
    });

    it('finishes what it accepted when it closes', async () => {
      const bus = await started(storing('writer'));
      const published = publish(1);
      await bus.close();
      await published;
      await eventually([1]);
    });
  });
}
