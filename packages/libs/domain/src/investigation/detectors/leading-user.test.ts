import { expect, it } from 'vitest';
import { DETECTORS } from '../investigate.ts';
import { hostFacts, minutely, noise, snapshots, use } from '../testing/host-facts.ts';
import { conclude } from '../verdict/conclude.ts';
import { leadingUser } from './leading-user.ts';

/** A host whose processors are as busy as they were for longer than anything is known, by one process. */
const always = hostFacts({
  historyFrom: hostFacts().from - 30 * 60_000,
  metrics: [minutely('cpu_percent', 70, (ago) => 91 + noise(ago))],
  snapshots: snapshots(70, (ago) => ({
    processes: [use('nginx', 6 + noise(ago)), use('postgres', 9 + noise(ago, 2)), use('stress', 138)],
  })),
});

it('lists the process that takes most of what is used where nothing shows when the trouble began', () => {
  const [found, ...rest] = leadingUser.detect(always);
  expect(rest).toEqual([]);
  expect(found).toMatchObject({
    kind: 'process',
    subject: { kind: 'process', name: 'stress' },
    title: 'Process "stress" takes 138 % of a CPU, 90 % of what all processes take',
    startedAt: null,
  });
  expect(found?.description).toContain('whether the trouble began with it is not known');
  expect(found?.evidence[0]?.points.length).toBeGreaterThan(50);
});

it('makes it the first finding, but never the cause', () => {
  const verdict = conclude(
    always,
    DETECTORS.flatMap((detector) => detector.detect(always)),
  );
  expect(verdict.findings[0]).toMatchObject({ detector: 'leading-user', possibleCause: false });
  expect(verdict.conclusion).toBe('inconclusive');
});

it('lists none where several share the use, where a growth explains the symptom, or for a metric that processes do not use up', () => {
  const shared = snapshots(70, () => ({ processes: [use('a', 40), use('b', 45), use('c', 30)] }));
  expect(leadingUser.detect({ ...always, snapshots: shared })).toEqual([]);
  const grown = hostFacts({
    snapshots: snapshots(100, (ago) => ({ processes: [use('nginx', 6), use('job', ago < 10 ? 72 : 2)] })),
  });
  expect(leadingUser.detect(grown)).toEqual([]);
  expect(leadingUser.detect({ ...always, metric: 'latency_ms' })).toEqual([]);
  expect(leadingUser.detect({ ...always, snapshots: [] })).toEqual([]);
});

it('compares memory for a metric of memory', () => {
  const memory = hostFacts({
    metric: 'memory_percent',
    metrics: [minutely('memory_percent', 70, (ago) => 93 + 0.1 * noise(ago))],
    snapshots: snapshots(70, () => ({ processes: [use('java', 20, 6e9), use('nginx', 80, 2e8)] })),
  });
  expect(leadingUser.detect(memory)[0]?.subject).toEqual({ kind: 'process', name: 'java' });
});
