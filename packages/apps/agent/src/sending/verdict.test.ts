import { describe, expect, test } from 'vitest';
import { backoffMs, judgeAnswer, parseRetryAfter } from './verdict.ts';

const answer = (status: number, body: unknown = '', retryAfter: string | null = null) => ({
  status,
  retryAfter,
  body: JSON.stringify(body),
});

describe('an answer', () => {
  test.each([408, 429, 500, 502, 503, 504])('%i is tried again', (status) => {
    expect(judgeAnswer(answer(status, { code: 'rate_limited' }, '7'), 1, 0)).toMatchObject({
      kind: 'retry',
      retryAfterMs: 7_000,
    });
  });
  test.each([301, 400, 401, 403, 404, 415, 422])('%i is final, with what was said', (status) => {
    expect(judgeAnswer(answer(status, { code: 'key_invalid', detail: 'No such key.' }), 5, 0)).toEqual({
      kind: 'refused',
      reason: `${status} key_invalid: No such key.`,
    });
  });
  test('413 is tried in halves until one is left', () => {
    expect(judgeAnswer(answer(413), 4, 0).kind).toBe('split');
    expect(judgeAnswer(answer(413), 1, 0).kind).toBe('refused');
  });
  test('a lenient answer names what was refused', () => {
    const body = {
      status: 'ok',
      events_accepted: 1,
      events_rejected: 1,
      errors: [{ path: '/0/host', message: 'Too long.' }],
    };
    expect(judgeAnswer(answer(200, body), 2, 0)).toEqual({
      kind: 'accepted',
      rejected: 1,
      faults: ['/0/host: Too long.'],
    });
  });
  test('a 200 that is no JSON is still a 200', () => {
    expect(judgeAnswer({ status: 200, retryAfter: null, body: '<html>' }, 1, 0)).toMatchObject({
      kind: 'accepted',
      rejected: 0,
    });
  });
});

test.each([
  [null, undefined],
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 20_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['999999999', 3_600_000],
  ['soon', undefined],
])('Retry-After %j', (header, wanted) => expect(parseRetryAfter(header, 10_000)).toBe(wanted));

test('full jitter lies between nothing and a growing, bounded limit', () => {
  expect(backoffMs(0, 0)).toBe(0);
  expect(backoffMs(0, 1)).toBe(500);
  expect(backoffMs(3, 1)).toBe(4_000);
  expect(backoffMs(500, 1)).toBe(60_000);
});
