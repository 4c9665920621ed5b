import { expect, it } from 'vitest';
import { holdsEllipsis, isPlaceholder, isPlaceholderKey } from './placeholder.ts';

it.each([
  '…',
  'tw_…',
  'alr_…',
  '...',
  'tw_...',
  '<API_KEY>',
  '<your key>',
  'https://hooks.slack.com/services/…',
  'https://<host>:8230',
  '/api/v1/alerts/…',
])('%s is a placeholder', (text) => {
  expect(isPlaceholder(text)).toBe(true);
  expect(isPlaceholderKey(text)).toBe(true);
});

it.each(['wait… for it', 'alr_0197', 'tw_0197_ab', 'https://a.example/x', '<', 'a < b > c', '....'])(
  '%s is none',
  (text) => {
    expect(isPlaceholder(text)).toBe(false);
  },
);

it('a key with a … anywhere is a placeholder, also as headers and addresses spell it', () => {
  const latin1 = Buffer.from('tw_0197_ab…', 'utf8').toString('latin1');
  expect(['tw_0197_ab…', latin1, 'tw_0197_ab'].map(isPlaceholderKey)).toEqual([true, true, false]);
  expect(holdsEllipsis(new URL('http://a.example/alr_…').pathname)).toBe(true);
});
