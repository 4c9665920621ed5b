import { crc32 } from 'node:zlib';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { describe, expect, it } from 'vitest';
import type { Consumer } from '../../bus.ts';
import { type HarnessTx, PARTITIONS } from '../../testing/kafka.harness.ts';
import {
  canShortenLogs,
  KEY,
  OLD,
  ShortenableLog,
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
  const log = new ShortenableLog();

  it.each([
    ['when fewer records are written after the loss', ['new 1']],
    ['when as many records are written after the loss', ['new 1', 'new 2']],
    ['when more records are written after the loss', ['new 1', 'new 2', 'new 3']],
  ])(
    'is gone on with by consumers that run and had stored what it lost, %s',
    { timeout: 180_000 },
    async (_name, values) => {
      const opened = await log.open('writer', 'evaluator');
      await log.publish(opened, ...OLD);
      for (const name of ['writer', 'evaluator'])
        await expect.poll(() => log.applied(name), WITHIN).toEqual(OLD);
      const number = await log.lose(4n);
      await log.publish(opened, ...values);
      for (const name of ['writer', 'evaluator'])
        await expect.poll(() => log.applied(name), WITHIN).toEqual([...OLD, ...values]);
      expect(opened.stops).toEqual([]);
      expect(opened.rewinds).toHaveLength(2);
      expect(opened.rewinds).toEqual(
        expect.arrayContaining(
          ['writer', 'evaluator'].map((consumer) => ({ consumer, partition: number, from: 6n, to: 4n })),
        ),
      );
      await expect.poll(() => opened.bus.health(), WITHIN).toEqual({ ok: true, reasons: [] });
    },
  );

  it.each([
    ['before', 1],
    ['at', 2],
    ['after', 3],
  ])(
    'is gone on with by consumers that find, once they reach the broker again, that it ends right %s the position that they had stored',
    { timeout: 180_000 },
    async (_name, copies) => {
      const opened = await log.open('writer');
      await log.publish(opened, ...OLD);
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
      await log.lose(4n, copies);
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual([...OLD, ...Array(copies).fill('a')]);
      expect(opened.rewinds).toMatchObject([{ consumer: 'writer', from: 6n, to: 4n }]);
      expect(opened.stops).toEqual([]);
    },
  );

  it.each([
    ['fewer', 1],
    ['as many', 2],
    ['more', 3],
  ])(
    'is gone on with by a consumer that stored a lost record after the loss, when %s records were written since',
    { timeout: 180_000 },
    async (_name, copies) => {
      const { consumer, entered, leave } = waitingAt('f');
      const opened = await log.open(consumer);
      await log.publish(opened, ...OLD.slice(0, -1));
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD.slice(0, -1));
      await log.publish(opened, 'f');
      await entered;
      await log.lose(4n, copies).finally(leave);
      await expect.poll(() => log.applied('writer').at(-1), WITHIN).toBe('a');
      await log.publish(opened, 'last');
      await expect.poll(() => log.applied('writer').at(-1), WITHIN).toBe('last');
      expect(log.applied('writer')).toEqual([...OLD, ...Array(copies).fill('a'), 'last']);
      expect(opened.stops).toEqual([]);
    },
  );

  it('is gone on with by a consumer that was storing records of another partition while the log was lost and filled up to its position', {
    timeout: 180_000,
  }, async () => {
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
