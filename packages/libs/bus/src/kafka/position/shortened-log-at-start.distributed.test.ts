import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DONE } from '../../bus.ts';
import { canShortenLogs, OLD, ShortenableLogs, WITHIN } from '../../testing/shortened-log.harness.ts';

describe.skipIf(!canShortenLogs)('[needs Kafka] a log that has lost its end', () => {
  const logs = new ShortenableLogs();

  it('that received fewer, as many or more records than it lost, is read from its first new record by consumers that start', {
    timeout: 180_000,
  }, async () => {
    const written = [['new 1'], ['new 1', 'new 2'], ['new 1', 'new 2', 'new 3', 'new 4']];
    const cases = await Promise.all(
      written.map(async (values) => {
        const log = await logs.open();
        const first = await log.open('writer');
        await log.publish(first, ...OLD);
        await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
        await first.bus.close();
        return { log, values };
      }),
    );
    const partitions = await logs.lose(cases.map(({ log }) => ({ log, kept: 4n })));
    for (const [index, { log, values }] of cases.entries()) {
      await log.publish(await log.open(), ...values);
      const second = await log.open('writer');
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual([...OLD, ...values]);
      const partition = partitions[index];
      expect(second.rewinds).toEqual([{ consumer: 'writer', partition, from: 6n, to: 4n }]);
      await log.publish(second, 'last');
      await expect.poll(() => log.applied('writer'), WITHIN).toEqual([...OLD, ...values, 'last']);
      expect(second.stops).toEqual([]);
    }
  });

  it('is read on by a consumer that had read beyond the new end and by one that had not, each from its own position', {
    timeout: 180_000,
  }, async () => {
    const log = await logs.open();
    const both = await log.open('writer', 'evaluator');
    await log.publish(both, 'a', 'b', 'c');
    await expect.poll(() => log.applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c']);
    await both.bus.close();
    const writer = await log.open('writer');
    await log.publish(writer, 'd', 'e', 'f');
    await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
    await writer.bus.close();
    await log.lose(5n);
    const again = await log.open('writer', 'evaluator');
    await log.publish(again, 'new');
    await expect.poll(() => log.applied('writer'), WITHIN).toEqual([...OLD, 'new']);
    await expect.poll(() => log.applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c', 'd', 'e', 'new']);
    expect(again.rewinds).toMatchObject([{ consumer: 'writer', from: 6n, to: 5n }]);
  });

  it('still has the stored rest of a lost record processed, and reading continues after that record', {
    timeout: 180_000,
  }, async () => {
    const log = await logs.open();
    let waits = true;
    const opened = await log.open({
      name: 'evaluator',
      async handle(batch, tx) {
        // Read once, since the test ends the wait while this sleeps.
        const left = new Set(waits ? batch.filter(({ value }) => value === 'storm') : []);
        for (const delivery of batch) if (!left.has(delivery)) tx.put(`evaluator ${delivery.value}`);
        if (left.size === batch.length) await sleep(50);
        return batch.map((delivery) =>
          left.has(delivery) ? { kind: 'part', done: null, rest: delivery.value } : DONE,
        );
      },
    });
    await log.publish(opened, 'a', 'b', 'storm', 'c', 'd');
    await expect.poll(() => log.applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c', 'd']);
    const number = await log.lose(2n);
    await log.publish(opened, 'new 1', 'new 2', 'new 3', 'new 4');
    const others = ['a', 'b', 'c', 'd', 'new 1', 'new 2', 'new 3', 'new 4'];
    await expect.poll(() => log.applied('evaluator'), WITHIN).toEqual(others);
    expect(opened.rewinds).toEqual([{ consumer: 'evaluator', partition: number, from: 5n, to: 2n }]);
    waits = false;
    await expect.poll(() => log.applied('evaluator'), WITHIN).toEqual([...others, 'storm']);
    expect(await log.harness.owner`select 1 from consumer_rests`).toEqual([]);
    expect(opened.stops).toEqual([]);
  });

  it('stops consumers if it has none of the records whose checkpoints they know', {
    timeout: 180_000,
  }, async () => {
    const log = await logs.open();
    const first = await log.open('writer');
    await log.publish(first, ...OLD);
    await expect.poll(() => log.applied('writer'), WITHIN).toEqual(OLD);
    await first.bus.close();
    await log.lose(0n);
    const second = await log.open('writer');
    await expect
      .poll(() => second.stops, WITHIN)
      .toEqual([expect.stringMatching(/was emptied or recreated/)]);
    expect([second.rewinds, log.applied('writer')]).toEqual([[], OLD]);
  });
});
