import { expect, it } from 'vitest';
import type { Exchange } from './guarded-client.ts';
import { outcomeOf, retryAfter } from './outcome.ts';

const NOW = Date.UTC(2026, 10, 22, 14, 36, 28);
const answered = (status: number, after: string | null = null): Exchange => {
  return { answered: true, status, header: () => after, text: '', whole: true };
};

it.each([200, 201, 202, 204])('a message answered with status %d counts as delivered', (status) => {
  expect(outcomeOf(answered(status), NOW)).toEqual({ status: 'delivered', reference: null });
});

it.each([
  ...[408, 429, 500, 502, 503, 504].map((status) => [status, true] as const),
  ...[301, 302, 307, 400, 401, 403, 404, 410, 413, 422].map((status) => [status, false] as const),
])('status %d counts as failed, retryable: %s', (status, retryable) => {
  expect(outcomeOf(answered(status), NOW)).toMatchObject({ status: 'failed', retryable });
});

it('the error of a failed attempt has the status and the error code of the answer', () => {
  expect(outcomeOf(answered(404), NOW, 'no_service')).toMatchObject({ error: 'answered 404 (no_service)' });
  expect(outcomeOf(answered(302), NOW)).toMatchObject({
    error: 'answered 302, and redirects are not followed',
  });
});

it.each([
  ['4', 4_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['Sun, 22 Nov 2026 14:36:38 GMT', 10_000],
  ['Sun, 22 Nov 2026 14:36:18 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['2026-11-22', null],
  ['9'.repeat(20), null],
  ['', null],
  [null, null],
])('Retry-After %j is read as %j ms', (header, ms) => {
  expect(retryAfter(header, NOW)).toBe(ms);
});
