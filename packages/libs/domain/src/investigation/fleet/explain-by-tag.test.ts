import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { divideBlame } from './blame.ts';
import { fisherTail } from './explain-by-tag.ts';
import { affectedFrom } from './symptom.ts';
import { FROM, fleetFacts, type Shape, wobble } from './testing/fleet-facts.ts';

const calm =
  (seed: number): Shape =>
  (minute) =>
    20 + wobble(seed, minute);
const slow =
  (seed: number, size = 30): Shape =>
  (minute) =>
    20 + 1.5 * wobble(seed, minute) + (minute >= 25 ? size * (1 + 0.2 * wobble(seed + 7, minute)) : 0);

test("the tail of Fisher's exact test agrees with his tea-tasting example: three or more of four right by chance", () => {
  expect(fisherTail({ hits: 3, carriers: 4, affected: 4, compared: 8 })).toBeCloseTo(17 / 70, 12);
  expect(fisherTail({ hits: 4, carriers: 4, affected: 4, compared: 8 })).toBeCloseTo(1 / 70, 12);
});

test('a tag value that all affected hosts have, and no other, explains them', () => {
  const peers = Array.from({ length: 16 }, (_, i) => ({
    host: `web-${i}`,
    tags: { version: i < 5 ? '2' : '1', zone: i % 2 === 0 ? 'a' : 'b' },
    metrics: { latency_ms: i < 5 ? slow(i + 1, 25 + 3 * i) : calm(i + 1) },
  }));
  const facts = fleetFacts({ metric: 'latency_ms', own: slow(90), tags: { version: '2', zone: 'a' }, peers });
  const blame = divideBlame(facts);
  expect(blame?.tag).toMatchObject({
    key: 'version',
    value: '2',
    hits: 6,
    carriers: 6,
    affected: 6,
    compared: 17,
  });
  expect(blame?.tag?.blame).toBeGreaterThan(0.7);
  expect(blame?.suspects[0]?.blame).toBeLessThan(0.4);
});

test('a shared tag of three hosts explains nothing where two of them moved', () => {
  const peers = [
    { host: 'web-1', tags: { version: '2' }, metrics: { latency_ms: slow(1) } },
    { host: 'web-2', tags: { version: '1' }, metrics: { latency_ms: calm(2) } },
  ];
  const facts = fleetFacts({ metric: 'latency_ms', own: slow(90), tags: { version: '2' }, peers });
  expect(divideBlame(facts)?.tag?.score).toBeLessThan(0.5);
});

test('a host whose errors rose does not stand out from hosts of its tag whose latency rose', () => {
  const peers = Array.from({ length: 12 }, (_, i) => ({
    host: `web-${i}`,
    tags: { version: i < 3 ? '2' : '1' },
    metrics: {
      latency_ms: i < 3 ? slow(i + 1) : calm(i + 1),
      ...(i === 0 && { errors_per_second: (minute: number) => 0.2 + (minute >= 25 ? 5 : 0) }),
    },
  }));
  const blame = divideBlame(
    fleetFacts({ metric: 'latency_ms', own: slow(90), tags: { version: '2' }, peers }),
  );
  expect(blame?.suspects[0]?.host).toBe('web-0');
  expect(blame?.suspects[0]?.blame).toBeLessThan(0.3);
  expect(blame?.tag?.blame).toBeGreaterThan(0.6);
});

test('a tag explains only where another of its hosts stands out from the alerting one', () => {
  const peers = Array.from({ length: 9 }, (_, i) => ({
    host: `web-${i}`,
    tags: { version: i < 1 ? '2' : '1' },
    metrics: { latency_ms: i < 1 ? slow(i + 1) : calm(i + 1) },
  }));
  const blame = divideBlame(
    fleetFacts({ metric: 'latency_ms', own: slow(90), tags: { version: '2' }, peers }),
  );
  const { score = 0 } = blame?.tag ?? {};
  expect(blame?.suspects[0]?.blame).toBeLessThanOrEqual(
    (blame?.suspects[0]?.score ?? 0) * (1 - score) + 1e-9,
  );
});

test('hosts that moved a little speak neither for a tag nor against it', () => {
  const moved =
    (seed: number, size: number): Shape =>
    (minute) =>
      20 + wobble(seed, minute) + (minute < 25 ? 0 : size * (1 + 0.3 * Math.sin(minute / 2)));
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: moved(90, 30),
    tags: { version: '2', zone: 'a' },
    peers: Array.from({ length: 9 }, (_, i) => ({
      host: `web-${i}`,
      tags: { version: i < 4 ? '2' : '1', zone: 'abc'.charAt(i % 3) },
      metrics: { latency_ms: i < 2 ? moved(i + 1, 30) : i < 4 ? moved(i + 1, 2.5) : calm(i + 1) },
    })),
  });
  const blame = divideBlame(facts);
  expect(blame?.affected.moved.map(({ host }) => host).sort()).toEqual(['web-0', 'web-1']);
  expect(blame?.affected.unclear.map(({ host }) => host).sort()).toEqual(['web-2', 'web-3']);
  expect(blame?.tag).toMatchObject({ key: 'version', value: '2', hits: 3, carriers: 3, compared: 8 });
  expect(blame?.tag?.score).toBeGreaterThan(0.5);
});

test('a tag value that a change gave to hosts minutes before the trouble is less probably a coincidence than another', () => {
  const peers = Array.from({ length: 7 }, (_, i) => ({
    host: `web-${i}`,
    tags: { version: i < 2 ? '2' : '1', zone: i % 2 === 0 ? 'a' : 'b' },
    metrics: { latency_ms: i < 2 ? slow(i + 1) : calm(i + 1) },
  }));
  const facts = fleetFacts({ metric: 'latency_ms', own: slow(90), tags: { version: '2', zone: 'a' }, peers });
  const begin = FROM + 25 * MINUTE_MS;
  const scoreOf = (at: number, tags: Record<string, string>) => {
    const source = { ref: 'change', query: 'changes', from: FROM, to: facts.to };
    const change = { kind: 'marker', id: 'mrk_1', at, title: 'deploy', tags, hosts: [], source } as const;
    return divideBlame({ ...facts, changes: [change] })?.tag?.score ?? 0;
  };
  const alone = divideBlame(facts)?.tag?.score ?? 0;
  expect(scoreOf(begin - 4 * MINUTE_MS, { version: '2' })).toBeGreaterThan(1.1 * alone);
  // A change of another value, long before, or after the trouble says nothing about it.
  expect(scoreOf(begin - 4 * MINUTE_MS, { version: '1' })).toBe(alone);
  expect(scoreOf(begin - 20 * MINUTE_MS, { version: '2' })).toBe(alone);
  expect(scoreOf(begin + 5 * MINUTE_MS, { version: '2' })).toBe(alone);
});

test('a window that begins with the trouble shows which hosts a change affected, by the time before it', () => {
  const since =
    (seed: number, size: number): Shape =>
    (minute) =>
      20 + 1.5 * wobble(seed, minute) + (minute >= 0 ? size * (1 + 0.2 * wobble(seed + 7, minute)) : 0);
  const peers = Array.from({ length: 9 }, (_, i) => ({
    host: `web-${i}`,
    tags: { version: i < 3 ? '2' : '1' },
    metrics: { latency_ms: i < 3 ? since(i + 1, 30) : calm(i + 1) },
  }));
  const facts = fleetFacts({ metric: 'latency_ms', own: since(90, 30), tags: { version: '2' }, peers });
  expect(affectedFrom(facts)).toBe(FROM - 30 * MINUTE_MS);
  expect(divideBlame(facts)?.tag).toMatchObject({
    key: 'version',
    value: '2',
    hits: 4,
    carriers: 4,
    affected: 4,
  });
});
