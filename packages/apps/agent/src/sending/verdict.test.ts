import { ApiProblem, UnreachableError } from '@tidewatch/client/problem';
import { describe, expect, test } from 'vitest';
import { judgeAnswer, judgeFailure } from './verdict.ts';

const problem = (status: number, retryAfterMs: number | null = null, code: string | null = 'key_invalid') =>
  new ApiProblem({
    ...{ status, code, detail: 'No such key.', errors: [], requestId: null, retryAfterMs },
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
  test.each([400, 415, 422])('%i is final, with what was said', (status) => {
    expect(judgeFailure(problem(status), 5)).toEqual({
      kind: 'refused',
      reason: `${status} key_invalid: No such key.`,
    });
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
      expect(judgeFailure(error, 1)).toEqual({ kind: 'retry', reason: error.message, retryAfterMs: 0 });
  });
});
