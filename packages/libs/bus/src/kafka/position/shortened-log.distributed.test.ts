import { crc32 } from 'node:zlib';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { describe, expect, it } from 'vitest';
import type { Consumer } from '../../bus.ts';
import { type HarnessTx, PARTITIONS } from '../../testing/kafka.harness.ts';
import {
  canShortenLogs,
  KEY,
  OLD,
  ShortenableLogs,
  storing,
  WITHIN,
} from '../../testing/shortened-log.harness.ts';

/** A consumer that waits in the transaction that stores `record` until it may leave. */
function waitingAt(record: string) {
  const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writer = storing('writer');
  const consumer: Consumer<unknown, HarnessTx> = {
    ...writer,
    async handle(batch, tx) {
      if (batch.some(({ value }) => value === record)) {
        entered.resolve();
        await left.promise;
      }
      return writer.handle(batch, tx);
    },
  };
  return { consumer, entered: entered.promise, leave: left.resolve };
}

describe.skipIf(!canShortenLogs)('[needs Kafka] a log that has lost its end', () => {
  const logs = new ShortenableLogs();

  it('is gone on with by consumers that run and had stored what it lost, whether fewer, as many or more records are written after the loss', {
    timeout: 180_000,
  }, async () => {
    const written = [['new 1'], ['new 1', 'new 2'], ['new 1', 'new 2', 'new 3']];
    const cases = await Promise.all(
      written.map(async (values) => {
        const log = await logs.open();
        const opened = await log.open('writer', 'evaluator');
        await log.publish(opened, ...OLD);
        for (const name of ['writer', 'evaluator'])
          await expect.poll(() => log.applied(name), WITHIN).toEqual(OLD);
        return { log, opened, values };
      }),
    );
    const partitions = await logs.lose(cases.map(({ log }) => ({ log, kept: 4n })));
    for (const [index, { log, opened, values }] of cases.entries()) {
      await log.publish(opened, ...values);
      for (const name of ['writer', 'evaluator'])
        await expect.poll(() => log.applied(name), WITHIN).toEqual([...OLD, ...values]);
      expect(opened.stops).toEqual([]);
      expect(opened.rewinds).toHaveLength(2);
      const move = { partition: partitions[index], from: 6n, to: 4n };
      expect(opened.rewinds).toEqual(
        expect.arrayContaining(['writer', 'evaluator'].map((consumer) => ({ consumer, ...move }))),
      );
      await expect.poll(() => opened.bus.health(), WITHIN).toEqual({ ok: true, reasons: [] });
    }
  });

  it('is gone on with by consumers that find, once they reach the broker again, that it ends right before, at or after the position that they had stored', {
    timeout: 180_000,
  }, async () => {
    const cases = await Promise.all(
      [1, 2, 3].map(async (copies) => {
        const log = await logs.open();
        const opened = await log.open('writer');
        await log.publish(opened, ...OLD);
        await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
        return { log, opened, copies };
      }),
    );
    await logs.lose(cases.map(({ log, copies }) => ({ log, kept: 4n, copies })));
    for (const { log, opened, copies } of cases) {
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual([...OLD, ...Array(copies).fill('a')]);
      expect(opened.rewinds).toMatchObject([{ consumer: 'writer', from: 6n, to: 4n }]);
      expect(opened.stops).toEqual([]);
    }
  });

  it('is gone on with by a consumer that stored a lost record after the loss, whether fewer, as many or more records were written since', {
    timeout: 180_000,
  }, async () => {
    const cases = await Promise.all(
      [1, 2, 3].map(async (copies) => {
        const log = await logs.open();
        const { consumer, entered, leave } = waitingAt('f');
        const opened = await log.open(consumer);
        await log.publish(opened, ...OLD.slice(0, -1));
        await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD.slice(0, -1));
        await log.publish(opened, 'f');
        await entered;
        return { log, opened, copies, leave };
      }),
    );
    await logs.lose(cases.map(({ log, copies }) => ({ log, kept: 4n, copies }))).finally(() => {
      for (const { leave } of cases) leave();
    });
    for (const { log, opened, copies } of cases) {
      await expect.poll(() => log.applied('writer').at(-1), WITHIN).toBe('a');
      await log.publish(opened, 'last');
      await expect.poll(() => log.applied('writer').at(-1), WITHIN).toBe('last');
      expect(log.applied('writer')).toEqual([...OLD, ...Array(copies).fill('a'), 'last']);
      expect(opened.stops).toEqual([]);
    }
  });

  it('is gone on with by a consumer that was storing records of another partition while the log was lost and filled up to its position', {
    timeout: 180_000,
  }, async () => {
    const log = await logs.open();
    const { consumer, entered, leave } = waitingAt('slow');
    const opened = await log.open(consumer);
    await log.publish(opened, ...OLD);
    await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
    const partitionOf = (key: string) => crc32(key) % PARTITIONS;
    const otherKey = ['1', '2', '3', '4', '5'].find((key) => partitionOf(key) !== partitionOf(KEY)) ?? '';
    await opened.bus.publish(TOPICS.samples, [{ key: otherKey, value: 'slow' }]);
    await entered;
    await log.lose(4n, 2).finally(leave);
    await expect.poll(() => log.applied('writer'), WITHIN).toContain('slow');
    await log.publish(opened, 'last');
    await expect.poll(() => log.applied('writer'), WITHIN).toContain('last');
    expect(log.applied('writer').filter((value) => value !== 'slow')).toEqual([...OLD, 'a', 'a', 'last']);
  });
});
