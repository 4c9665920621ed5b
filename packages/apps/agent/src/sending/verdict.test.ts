import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { describe, expect, test } from 'vitest';
import { judgeAnswer, judgeFailure } from './verdict.ts';

const problem = (status: number, retryAfterMs: number | null = null, code: string | null = 'key_invalid') =>
  new ApiProblem({
    status,
    code,
    detail: 'No such key.',
    errors: [],
    requestId: null,
    retryAfterMs,
  });

describe('an answer', () => {
  test.each([301, 401, 403, 404, 405, 407, 408, 429, 500, 502, 503, 504])('%i is tried again', (status) => {
    expect(judgeFailure(problem(status, 7_000), 1)).toMatchObject({ kind: 'retry', retryAfterMs: 7_000 });
  });
  test.each([302, 400, 403, 404, 422])('%i of something in between is tried again', (status) => {
    expect(judgeFailure(problem(status, null, null), 5)).toMatchObject({ kind: 'retry' });
  });
  test.each([undefined, null, {}, { ok: true }])(
    'success that counts nothing, as %j, is tried again',
    (answer) => {
      expect(judgeAnswer(answer as Parameters<typeof judgeAnswer>[0])).toMatchObject({ kind: 'retry' });
    },
  );
  test.each([400, 422])('%i is final for one payload, with what was said, and halves several', (status) => {
    expect(judgeFailure(problem(status), 5).kind).toBe('split');
    expect(judgeFailure(problem(status), 1)).toEqual({
      kind: 'refused',
      faults: [],
      reason: `${status} key_invalid: No such key.`,
    });
  });
  test.each([400, 413, 415, 422])('%i with a code of something in between is tried again', (status) => {
    expect(judgeFailure(problem(status, null, 'BadRequest'), 1).kind).toBe('retry');
  });
  test('415 is tried again, since it is not about what a payload says', () => {
    expect(judgeFailure(problem(415), 1).kind).toBe('retry');
  });
  test.each([
    [401, 'key_revoked', true],
    [401, 'key_expired', true],
    [403, 'scope_missing', true],
    [401, null, false],
    [403, null, false],
    [503, 'database_unavailable', false],
  ])('%i %s refuses the key: %s', (status, code, refusesKey) => {
    expect(judgeFailure(problem(status, null, code), 2)).toMatchObject({ kind: 'retry', refusesKey });
  });
  test('413 is tried in halves until one is left', () => {
    expect(judgeFailure(problem(413), 4).kind).toBe('split');
    expect(judgeFailure(problem(413), 1).kind).toBe('refused');
  });
  test('a lenient answer names what was refused, not without end', () => {
    const fault = { path: '/0/host', code: 'too_long', message: 'Too long.' };
    const errors = Array.from({ length: 9 }, () => fault);
    expect(judgeAnswer({ events_accepted: 0, events_rejected: 9, errors })).toEqual({
      kind: 'accepted',
      rejected: 9,
      faults: Array.from({ length: 5 }, () => '/0/host: Too long.'),
    });
    expect(judgeAnswer({ events_accepted: 1 })).toEqual({ kind: 'accepted', rejected: 0, faults: [] });
  });
  test('none, or one of somebody else, is waited for', () => {
    for (const error of [new UnreachableError('timeout', 'no answer', null), new SyntaxError('no JSON')])
      expect(judgeFailure(error, 1)).toEqual({
        kind: 'retry',
        reason: error.message,
        retryAfterMs: 0,
        refusesKey: false,
      });
  });
});
