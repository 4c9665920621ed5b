import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { describe, expect, test } from 'vitest';
import { classifyAnswer, classifyFailure } from './send-outcome.ts';

const problem = (status: number, retryAfterMs: number | null = null, code: string | null = 'key_invalid') =>
  new ApiProblem({
    status,
    code,
    detail: 'No such key.',
    errors: [],
    requestId: null,
    retryAfterMs,
  });

describe('the agent', () => {
  test.each([301, 401, 403, 404, 405, 407, 408, 429, 500, 502, 503, 504])(
    'retries after an answer with status %i',
    (status) => {
      expect(classifyFailure(problem(status, 7_000), 1)).toMatchObject({
        kind: 'retry',
        retryAfterMs: 7_000,
      });
    },
  );
  test.each([302, 400, 403, 404, 422])('retries after status %i of a proxy', (status) => {
    expect(classifyFailure(problem(status, null, null), 5)).toMatchObject({ kind: 'retry' });
  });
  test.each([undefined, null, {}, { ok: true }])(
    'retries after a successful answer without a count of payloads: %j',
    (answer) => {
      expect(classifyAnswer(answer as Parameters<typeof classifyAnswer>[0])).toMatchObject({ kind: 'retry' });
    },
  );
  test.each([400, 422])('drops a single payload after status %i and splits a batch', (status) => {
    expect(classifyFailure(problem(status), 5).kind).toBe('split');
    expect(classifyFailure(problem(status), 1)).toEqual({
      kind: 'refused',
      faults: [],
      reason: `${status} key_invalid: No such key.`,
    });
  });
  test.each([301, 302, 307, 400, 404, 405, 413, 415, 422])(
    'retries after status %i with the code of a proxy',
    (status) => {
      expect(classifyFailure(problem(status, null, 'BadRequest'), 1).kind).toBe('retry');
    },
  );
  test('retries after status 415, which does not concern the content of a payload', () => {
    expect(classifyFailure(problem(415), 1).kind).toBe('retry');
  });
  test.each([
    [401, 'key_revoked', true],
    [401, 'key_expired', true],
    [403, 'scope_missing', true],
    [401, null, false],
    [403, null, false],
    [503, 'database_unavailable', false],
  ])('retries after status %i with code %s, where the key is refused: %s', (status, code, refusesKey) => {
    expect(classifyFailure(problem(status, null, code), 2)).toMatchObject({ kind: 'retry', refusesKey });
  });
  test('splits a batch after status 413 and drops a single payload', () => {
    expect(classifyFailure(problem(413), 4).kind).toBe('split');
    expect(classifyFailure(problem(413), 1).kind).toBe('refused');
  });
  test('reports at most five faults of a lenient answer', () => {
    const fault = { path: '/0/host', code: 'too_long', message: 'Too long.' };
    const errors = Array.from({ length: 9 }, () => fault);
    expect(classifyAnswer({ events_accepted: 0, events_rejected: 9, errors })).toEqual({
      kind: 'accepted',
      rejected: 9,
      faults: Array.from({ length: 5 }, () => '/0/host: Too long.'),
    });
    expect(classifyAnswer({ events_accepted: 1 })).toEqual({ kind: 'accepted', rejected: 0, faults: [] });
  });
  test('retries if there is no answer, and after an answer that is not JSON', () => {
    for (const error of [new UnreachableError('timeout', 'no answer', null), new SyntaxError('no JSON')])
      expect(classifyFailure(error, 1)).toEqual({
        kind: 'retry',
        reason: error.message,
        retryAfterMs: 0,
        refusesKey: false,
      });
  });
});
