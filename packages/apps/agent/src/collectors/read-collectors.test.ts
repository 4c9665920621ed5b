import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { expect, test } from 'vitest';
import { chooseCollectors } from './choose-collectors.ts';
import type { Found, HostCollector } from './collector.ts';
import { CounterRates } from './counter-rates.ts';
import { readCollectors } from './read-collectors.ts';

const collector = (name: string, read: HostCollector['read']): HostCollector => ({ name, read });

function open(...collectors: HostCollector[]) {
  const lines: string[] = [];
  const logger = createLogger({ name: 'agent', destination: { write: (line) => void lines.push(line) } });
  const host = readCollectors({ collectors, clock: () => 5, monotonic: () => 7, timeoutMs: 100, logger });
  return { ...host, lines };
}

test('merges what collectors find, rounded to two decimals, without values that are not finite', async () => {
  const reading = await open(
    collector('a', (at) => ({
      metrics: { at, short: 1.239, none: Number.NaN, endless: Number.POSITIVE_INFINITY },
    })),
    collector('b', () => ({ parts: [{ kind: 'disk', name: 'sda', metrics: { x: 0.006, y: Number.NaN } }] })),
    collector('c', () => ({ processes: [{ name: 'p', pid: 1 }], processCounts: { p: 1 }, containers: [] })),
  ).read();
  expect(reading).toEqual({
    time: 5,
    metrics: { at: 7, short: 1.24 },
    parts: { parts: [{ kind: 'disk', name: 'sda', metrics: { x: 0.01 } }], leftOut: 0 },
    processes: [{ name: 'p', pid: 1 }],
    processCounts: { p: 1 },
    containers: [],
  });
});

test('logs a failing collector once when it begins to fail and once when it works again', async () => {
  let fails = true;
  const collectors = open(
    collector('odd', () => {
      if (fails) throw new Error('broken');
      return { metrics: { odd: 1 } };
    }),
    collector('even', () => ({ metrics: { even: 1 } })),
  );
  expect((await collectors.read()).metrics).toEqual({ even: 1 });
  await collectors.read();
  expect(collectors.failing()).toEqual(['odd']);
  fails = false;
  expect((await collectors.read()).metrics).toEqual({ odd: 1, even: 1 });
  await collectors.read();
  expect(collectors.failing()).toEqual([]);
  expect(collectors.lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, collector: 'odd', err: { message: 'broken' } },
    { level: 30, collector: 'odd' },
  ]);
});

test('makes a reading without a collector that hangs, and does not start it again before it has ended', async () => {
  let started = 0;
  const answer = Promise.withResolvers<Found>();
  const collectors = open(
    collector('slow', () => {
      started += 1;
      return started === 1 ? answer.promise : { metrics: { slow: 2 } };
    }),
    collector('fast', () => ({ metrics: { fast: 1 } })),
  );
  expect((await collectors.read()).metrics).toEqual({ fast: 1 });
  await collectors.read();
  expect(started).toBe(1);
  expect(collectors.lines).toHaveLength(1);
  expect(collectors.lines[0]).toContain('did not answer within 100 ms');
  answer.resolve({});
  await answer.promise;
  await new Promise(setImmediate);
  expect((await collectors.read()).metrics).toEqual({ fast: 1, slow: 2 });
});

test('options switch collectors off by name, and an unknown name is a fault that names the right one', () => {
  const all = ['processes', 'disks'].map((name) => collector(name, () => ({})));
  expect(chooseCollectors(all, ['disks']).map(({ name }) => name)).toEqual(['processes']);
  expect(() => chooseCollectors(all, ['disk'])).toThrow(
    '--disable disk is no collector. Did you mean disks?; allowed are processes, disks',
  );
});

test('counters become rates from the second reading on, except those that are new or went back', () => {
  const rates = new CounterRates();
  expect(rates.update(0, new Map([['a', 10]]))).toEqual(new Map());
  const second = rates.update(
    2_000,
    new Map([
      ['a', 30],
      ['b', 5],
    ]),
  );
  expect(second).toEqual(new Map([['a', 10]]));
  expect(rates.update(2_000, new Map([['a', 40]]))).toEqual(new Map());
  expect(rates.update(3_000, new Map([['a', 3]]))).toEqual(new Map());
});
