import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { expect, it } from 'vitest';
import { createRefusalLimit } from './refusal-limit.ts';

it('the count of refused keys of an address is reset after a minute', () => {
  let now = 0;
  const limit = createRefusalLimit(() => now);
  const refusal = new ProblemError('key_invalid');
  const answer = () => limit.answerTo(refusal, '192.0.2.1');
  for (let index = 0; index < 300; index += 1) expect(answer()).toBe(refusal);
  now = 45_000;
  expect(answer()).toMatchObject({ code: 'too_many_refusals', headers: { 'Retry-After': '15' } });
  now = 60_000;
  expect(answer()).toBe(refusal);
});
