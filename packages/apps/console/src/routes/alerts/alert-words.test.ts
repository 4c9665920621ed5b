import { expect, it } from 'vitest';
import { sentenceParts } from './alert-words.ts';

it.each([
  ['web-01', 'web-01: cpu_percent is 97.5 %.', ['web-01: ', 'cpu_percent is 97.5 %.']],
  ['web-01', 'web-01, container db: x is 3.', ['web-01, ', 'container db: x is 3.']],
  ['web-01', 'web-01 has been silent for 5 minutes.', ['web-01 ', 'has been silent for 5 minutes.']],
  ['web-0', 'web-01: cpu_percent is 97.5 %.', ['', 'web-01: cpu_percent is 97.5 %.']],
])('splits the host %s from the sentence "%s"', (host, summary, parts) => {
  expect(sentenceParts({ host, summary })).toEqual(parts);
});
