import { describe, expect, it } from 'vitest';
import { problemOf, retryAfterMs } from './problem.ts';

const NOW = Date.parse('2026-11-22T08:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['7', 7_000],
    ['Sun, 22 Nov 2026 08:00:05 GMT', 5_000],
    ['Sun, 22 Nov 2026 07:00:00 GMT', 0],
    ['999999', 3_600_000],
    ['soon', null],
    [null, null],
  ])('%s is %s', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});

describe('problemOf', () => {
  it('reads a problem document', () => {
    const fault = { in: 'query', path: '/limit', code: 'out_of_range', message: 'Must be less.' };
    const body = JSON.stringify({
      code: 'validation_failed',
      detail: '/limit: Must be less.',
      errors: [fault],
    });
    const response = new Response(body, {
      status: 422,
      headers: { 'X-Request-Id': 'r1', 'Retry-After': '3' },
    });
    expect(problemOf(response, body, NOW)).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [fault],
      requestId: 'r1',
      retryAfterMs: 3_000,
      message: '422 validation_failed: /limit: Must be less.',
    });
  });

  it.each(['<html>Bad Gateway</html>', '"text"', 'null', ''])(
    'makes a problem of %j, the response of a proxy',
    (body) => {
      const answer = problemOf(new Response(body, { status: 502, statusText: 'Bad Gateway' }), body, NOW);
      expect(answer).toMatchObject({ status: 502, code: null, errors: [], requestId: null });
      expect(answer.detail.length).toBeGreaterThan(3);
    },
  );

  it('names the target of a redirect', () => {
    const response = new Response(null, { status: 308, headers: { Location: 'https://other.example/' } });
    expect(problemOf(response, '', NOW).detail).toContain('https://other.example/');
  });
});
