import { expect, test } from 'vitest';
import { type SummaryFacts, summarize } from './summary.ts';

const FACTS: SummaryFacts = {
  host: 'web-01',
  metric: 'cpu_percent',
  value: 97.5,
  condition: 'greater_than',
  threshold: 90,
  thresholdMax: null,
  durationMs: 300_000,
};

test.each<[string, Partial<SummaryFacts>]>([
  ['web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes.', {}],
  ['web-01: cpu_percent is 97.5 %, above 90 % for 1 minute.', { durationMs: 60_000 }],
  ['web-01: cpu_percent is 97.5 %, above 90 %.', { durationMs: 0 }],
  [
    'web-01: load1 is 97.5, at or above 90.',
    { metric: 'load1', condition: 'greater_than_or_equal', durationMs: 0 },
  ],
  [
    'web-01: load1 is 0.333333, below 0.5.',
    { metric: 'load1', condition: 'less_than', value: 1 / 3, threshold: 0.5, durationMs: 0 },
  ],
  [
    'web-01: load1 is 1, at or below 2.',
    { metric: 'load1', condition: 'less_than_or_equal', value: 1, threshold: 2, durationMs: 0 },
  ],
  [
    'web-01: up is 0, equal to 0.',
    { metric: 'up', condition: 'equal', value: 0, threshold: 0, durationMs: 0 },
  ],
  [
    'web-01: up is 0, other than 1.',
    { metric: 'up', condition: 'not_equal', value: 0, threshold: 1, durationMs: 0 },
  ],
  [
    'web-01: t is 5, between 1 and 9.',
    { metric: 't', condition: 'between', value: 5, threshold: 1, thresholdMax: 9, durationMs: 0 },
  ],
  [
    'web-01: t is 10, not between 1 and 9.',
    { metric: 't', condition: 'not_between', value: 10, threshold: 1, thresholdMax: 9, durationMs: 0 },
  ],
  [
    'web-01, container api: cpu_percent is 97.5 %, above 90 %.',
    { subject: { kind: 'container', name: 'api' }, durationMs: 0 },
  ],
  [
    'web-01: cpu_percent is 97.5 %, above 90 %.',
    { subject: { kind: 'host', name: 'web-01' }, durationMs: 0 },
  ],
  [
    'web-01: memory_total_bytes is 16777216000, above 1e+300.',
    { metric: 'memory_total_bytes', value: 16_777_216_000, threshold: 1e300, durationMs: 0 },
  ],
])('%s', (wanted, facts) => {
  expect(summarize({ ...FACTS, ...facts })).toBe(wanted);
});
