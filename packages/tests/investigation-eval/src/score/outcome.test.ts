import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { expect, it } from 'vitest';
import type { Cause } from '../incident.ts';
import { figuresOf, reliability } from './figures.ts';
import { isHit, type Outcome } from './outcome.ts';

const finding: FindingDraft = {
  serviceId: 'svc_1',
  host: 'web-01',
  kind: 'process',
  detector: 'processes',
  title: '',
  description: '',
  score: 0.9,
  subject: { kind: 'process', name: 'job' },
  metric: 'cpu_percent',
  baseline: null,
  observed: null,
  startedAt: null,
  hosts: [],
  unaffectedHosts: [],
  evidence: [],
};
const cause: Cause = { host: 'web-01', subject: 'process', names: ['job'], metrics: null, kind: null };

it.each([
  ['the same host and subject', finding, cause, true],
  ['another host', { ...finding, host: 'web-02' }, cause, false],
  ['another process', { ...finding, subject: { kind: 'process', name: 'other' } }, cause, false],
  ['a container of that name', { ...finding, subject: { kind: 'container', name: 'job' } }, cause, false],
  ['another metric than the one that matters', finding, { ...cause, metrics: ['disk_percent'] }, false],
  ['another kind than the one that matters', finding, { ...cause, kind: 'restart' }, false],
  ['an earlier alert', { ...finding, kind: 'recurrence' }, cause, false],
  ['anything where there is no cause', finding, null, false],
] as const)('%s', (_, found, of, hit) => {
  expect(isHit(found, of)).toBe(hit);
});

const outcome = (place: number | null, score: number, given: Partial<Outcome> = {}): Outcome => ({
  kind: 'k',
  sort: 'exhaustion',
  hasCause: true,
  place,
  found: score > 0.6,
  reason: null,
  foundRightly: place === 1 && score > 0.6,
  historyMs: 0,
  setting: { seed: 1, noise: 1, intervalMs: 1_000, delayMs: 0 },
  first: { score, hit: place === 1, title: '' },
  alone: new Map(),
  milliseconds: 1,
  ...given,
});

it('the figures count ranks among incidents with a cause, and named causes among all incidents', () => {
  const healthy = outcome(null, 0.8, { hasCause: false, foundRightly: false });
  expect(figuresOf([outcome(1, 0.9), outcome(2, 0.5), outcome(null, 0.1), outcome(4, 0.7), healthy])).toEqual(
    {
      incidents: 5,
      top1: 0.25,
      top3: 0.5,
      mrr: (1 + 0.5 + 0.25) / 4,
      found: 0.6,
      wrong: 0.4,
    },
  );
});

it('reliability sorts first findings into bins by their score', () => {
  const bins = reliability([outcome(1, 0.95), outcome(2, 0.95), outcome(1, 1)]);
  expect(bins[9]).toMatchObject({ count: 3, was: 2 / 3 });
  expect(bins[0]?.count).toBe(0);
});
