import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { expect, it } from 'vitest';
import { problemText } from './problem-text.ts';

const problem = (status: number, code: string | null) =>
  new ApiProblem({ status, code, detail: 'It is so.', errors: [], requestId: 'req-1', retryAfterMs: 4_000 });

it.each([
  [401, 'key_missing', 'Signed out'],
  [403, 'scope_missing', 'The key in use may not do this'],
  [403, 'cross_site', 'Not allowed'],
  [404, 'not_found', 'Not found'],
  [409, 'conflict', 'The request was refused'],
  [412, 'precondition_failed', 'Changed meanwhile'],
  [422, 'validation_failed', 'The request has faults'],
  [429, 'rate_limited', 'Too many requests'],
  [502, null, 'Tidewatch cannot answer now'],
])('titles %i %s, and keeps detail, request id and wait', (status, code, title) => {
  expect(problemText(problem(status, code))).toEqual({
    title,
    detail: 'It is so.',
    requestId: 'req-1',
    faults: [],
    retryAfterMs: 4_000,
  });
});

it('the text of a problem explains a lost connection and a timeout', () => {
  const lost = problemText(new UnreachableError('connection', 'refused', null));
  const late = problemText(new UnreachableError('timeout', 'late', null));
  expect([lost.title, late.title]).toEqual(['Tidewatch does not answer', 'Tidewatch does not answer']);
  expect(late.detail).toContain('may have been carried out');
});

it('the text of a problem is the message of any other failure', () => {
  expect(problemText(new TypeError('x is undefined')).detail).toBe('x is undefined');
});
