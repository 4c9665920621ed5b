import { expect, it } from 'vitest';
import { instanceName, sentenceParts } from './alert-words.ts';

it.each([
  ['web-01', 'web-01: cpu_percent is 97.5 %.', ['web-01: ', 'cpu_percent is 97.5 %.']],
  ['web-01', 'web-01, container db: x is 3.', ['web-01, ', 'container db: x is 3.']],
  ['web-01', 'web-01 has been silent for 5 minutes.', ['web-01 ', 'has been silent for 5 minutes.']],
  ['web-0', 'web-01: cpu_percent is 97.5 %.', ['', 'web-01: cpu_percent is 97.5 %.']],
])('splits the host %s from the sentence "%s"', (host, summary, parts) => {
  expect(sentenceParts({ host, summary })).toEqual(parts);
});

it.each([
  [{ kind: 'host', name: 'db-03' }, 'db-03: Disk is hot'],
  [{ kind: 'container', name: 'api' }, 'db-03, container api: Disk is hot'],
  [{ kind: 'part', name: 'disk:nvme0n1' }, 'db-03, disk nvme0n1: Disk is hot'],
] as const)('an alert on %j is named among others as "%s"', (subject, name) => {
  expect(instanceName({ host: 'db-03', subject, rule_name: 'Disk is hot' })).toBe(name);
});
