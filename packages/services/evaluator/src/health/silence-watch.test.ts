import { isSilent } from '@tidewatch/domain/health/silence';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Watched } from '../memory/watched.ts';
import { SilenceWatch } from './silence-watch.ts';

const BEGAN = 1_800_000_000_000;
const PARTITION = 3;
const idsOf = (silent: readonly { id: string }[]) => silent.map(({ id }) => id);

/** Sends a heartbeat for each second of a partition's clock; returns the services that became silent. */
function run(watch: SilenceWatch, fromSeconds: number, toSeconds: number): string[] {
  const silent: string[] = [];
  for (let second = fromSeconds; second <= toSeconds; second += 1)
    silent.push(...idsOf(watch.tick(PARTITION, BEGAN + second * 1_000)));
  return silent;
}

test('a service becomes silent once, and is back when its next request is received', () => {
  const watch = new SilenceWatch();
  run(watch, 0, 10);
  const watched = watch.watchedOf(PARTITION, 'org_1', 'svc_1');
  expect(watch.recordReceipt(watched, BEGAN + 10_000)).toBe(false);
  expect(run(watch, 11, 400)).toEqual(['svc_1']);
  expect(watch.isSilent('svc_1')).toBe(true);
  expect(watch.recordReceipt(watched, BEGAN + 400_000)).toBe(true);
  expect(watch.isSilent('svc_1')).toBe(false);
});

test('a service that is no longer watched does not become silent, and is watched again after its next request', () => {
  const watch = new SilenceWatch();
  run(watch, 0, 10);
  const before = watch.watchedOf(PARTITION, 'org_1', 'svc_1');
  watch.recordReceipt(before, BEGAN + 10_000);
  watch.committed();
  watch.forget('svc_1');
  expect(before.forgotten).toBe(true);
  expect(run(watch, 11, 400)).toEqual([]);
  const again = watch.watchedOf(PARTITION, 'org_1', 'svc_1');
  expect(again).not.toBe(before);
  watch.recordReceipt(again, BEGAN + 400_000);
  expect(run(watch, 401, 800)).toEqual(['svc_1']);
});

test('a service first received in a rolled back transaction is no longer watched', () => {
  const watch = new SilenceWatch();
  const known = watch.watchedOf(PARTITION, 'org_1', 'svc_1');
  watch.committed();
  const fresh = watch.watchedOf(PARTITION, 'org_1', 'svc_2');
  watch.rolledBack();
  expect([known.forgotten, fresh.forgotten]).toEqual([false, true]);
  expect(watch.size).toBe(1);
});

test('after the silence watch is cleared, no service is watched', () => {
  const watch = new SilenceWatch();
  const watched = watch.watchedOf(PARTITION, 'org_1', 'svc_1');
  watch.clear();
  expect(watched.forgotten).toBe(true);
  expect(watch.size).toBe(0);
});

test('each heartbeat returns at most a fixed number of newly silent services per organization', () => {
  const watch = new SilenceWatch();
  run(watch, 0, 10);
  for (let i = 0; i < 25; i += 1) watch.recordReceipt(watch.watchedOf(PARTITION, 'org_1', `svc_${i}`), BEGAN);
  watch.recordReceipt(watch.watchedOf(PARTITION, 'org_2', 'svc_of_another'), BEGAN);
  const counts: number[] = [];
  const silent: string[] = [];
  for (let second = 11; second <= 400; second += 1) {
    const ids = idsOf(watch.tick(PARTITION, BEGAN + second * 1_000, 10));
    if (ids.length > 0) counts.push(ids.length);
    silent.push(...ids);
  }
  expect(counts).toEqual([11, 10, 5]);
  expect(new Set(silent).size).toBe(26);
});

/** What may happen to the hosts of a partition. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('heartbeats' as const), count: fc.nat(200) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('receipts' as const), of: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('postpone', 'forget'), of: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('commit', 'rollBack') }) },
);

test('a service becomes silent with the heartbeat after which its silence is too long, whatever happened before', () => {
  fc.assert(
    fc.property(
      fc.array(STEP, { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      (steps, max) => {
        const watch = new SilenceWatch();
        const watched = new Map<string, Watched>();
        let at = BEGAN;
        watch.tick(PARTITION, at);
        for (const step of steps) {
          const id = 'of' in step ? `svc_${step.of}` : '';
          if (step.kind === 'heartbeats') {
            for (let second = 0; second < step.count; second += 1) {
              at += 1_000;
              const now = watch.timeOf(PARTITION) + 1_000;
              const due = [...watched.values()].filter(
                ({ offline, lastSeenAt, interval }) => !offline && isSilent(now, lastSeenAt, interval.ms),
              );
              expect(idsOf(watch.tick(PARTITION, at, max))).toEqual(idsOf(due.slice(0, max)));
            }
          } else if (step.kind === 'receipts') {
            watched.set(id, watch.watchedOf(PARTITION, 'org_1', id));
            watch.recordReceipt(watched.get(id) as Watched, at);
          } else if (step.kind === 'postpone') watch.postpone(id);
          else if (step.kind === 'forget') watch.forget(id);
          else if (step.kind === 'commit') watch.committed();
          else watch.rolledBack();
          for (const [key, { forgotten }] of watched) if (forgotten) watched.delete(key);
        }
      },
    ),
    { numRuns: 200 },
  );
});
