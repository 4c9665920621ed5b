import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { expect, it } from 'vitest';
import { openPending, type PendingSignOn, SIGN_ON_MS, sealPending } from './pending-sign-on.ts';

const NOW = Date.UTC(2026, 10, 27);
const secrets = createSecretBox(Buffer.alloc(32, 'k'));
const pending: PendingSignOn = {
  purpose: 'confirm',
  state: 'state',
  nonce: 'nonce',
  verifier: 'verifier',
  startedAt: NOW,
  to: '/alerts',
  readOnly: false,
  session: { id: 'ses_1', organizationId: 'org_1', key: { id: 'key_1', name: 'anna@example.com' } },
};

it('opens what it sealed, for ten minutes', () => {
  const cookie = sealPending(secrets, pending);
  expect(cookie).toMatch(/^[\w-]+$/);
  expect(openPending(secrets, cookie, NOW)).toEqual(pending);
  expect(openPending(secrets, cookie, NOW + SIGN_ON_MS - 1)).toEqual(pending);
  expect(openPending(secrets, cookie, NOW + SIGN_ON_MS)).toBeNull();
  expect(openPending(secrets, cookie, NOW - 1)).toBeNull();
});

it.each([
  ['one that was changed', () => `${sealPending(secrets, pending).slice(0, -2)}AA`],
  ['one of another installation', () => sealPending(createSecretBox(Buffer.alloc(32, 'o')), pending)],
  [
    'another secret of this installation',
    () => {
      const { nonce, sealed } = secrets.seal(JSON.stringify(pending), 'a channel');
      return Buffer.concat([nonce, sealed]).toString('base64url');
    },
  ],
  ['an empty one', () => ''],
  ['what is no cookie of ours', () => 'nonsense'],
])('refuses %s', (_, cookie) => {
  expect(openPending(secrets, cookie(), NOW)).toBeNull();
});

it('fits into a cookie with the longest page that it may lead to', () => {
  const longest = {
    ...pending,
    to: `/${'x'.repeat(1_999)}`,
    state: 's'.repeat(43),
    nonce: 'n'.repeat(43),
    verifier: 'v'.repeat(43),
  };
  const named = {
    ...longest,
    session: {
      id: `ses_${'0'.repeat(32)}`,
      organizationId: `org_${'0'.repeat(32)}`,
      key: { id: `key_${'0'.repeat(32)}`, name: 'ä'.repeat(200) },
    },
  };
  expect(sealPending(secrets, named).length).toBeLessThan(4_000);
});
