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
    'web-01: memory_used_bytes is 15.63 GiB, above 8 GiB.',
    { metric: 'memory_used_bytes', value: 16_777_216_000, threshold: 2 ** 33, durationMs: 0 },
  ],
  [
    'web-01: m is 1234568, above 1234567.',
    { metric: 'm', value: 1_234_567.89, threshold: 1_234_567, durationMs: 0 },
  ],
  ['web-01: m is 90.0000004, above 90.', { metric: 'm', value: 90.0000004, threshold: 90, durationMs: 0 }],
  [
    'web-01: m is 9007199254740994, above 9007199254740992.',
    { metric: 'm', value: 2 ** 53 + 2, threshold: 2 ** 53, durationMs: 0 },
  ],
  [
    'web-01: memory_used_bytes is 1.00001 GiB, above 1 GiB.',
    { metric: 'memory_used_bytes', value: 2 ** 30 + 10_000, threshold: 2 ** 30, durationMs: 0 },
  ],
  [
    'web-01: network_receive_bytes_per_second is 1.5 MiB/s, above 1 MiB/s.',
    { metric: 'network_receive_bytes_per_second', value: 1.5 * 2 ** 20, threshold: 2 ** 20, durationMs: 0 },
  ],
  [
    'web-01 has been silent for 5 minutes.',
    { metric: 'host.silent_minutes', value: 5.00502, threshold: 5, durationMs: 0 },
  ],
])('%s', (wanted, facts) => {
  expect(summarize({ ...FACTS, ...facts })).toBe(wanted);
});
