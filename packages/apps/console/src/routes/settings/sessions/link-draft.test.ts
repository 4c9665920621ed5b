import { signInLinkInputSchema } from '@tidewatch/contracts/sessions/sign-in-link';
import { expect, it } from 'vitest';
import { linkBody, NEW_LINK, VALIDITIES } from './link-draft.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

it('an untouched form lacks its name alone', () => {
  const read = signInLinkInputSchema.safeParse(linkBody(NEW_LINK, 'person', NOW));
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['name']]);
});

it.each(VALIDITIES)('a link of %s hours ends in time and within seven days', (hours) => {
  const body = linkBody({ ...NEW_LINK, name: 'Anna', hours }, 'person', NOW);
  const left = Date.parse(body.expires_at ?? '') - NOW;
  expect(left).toBeGreaterThan(Number(hours) * 3_600_000 - 120_000);
  expect(left).toBeLessThanOrEqual(7 * 86_400_000 - (hours === '168' ? 1 : 0));
});

it('a display only reads, whatever was chosen for a person before', () => {
  expect(linkBody({ ...NEW_LINK, scopes: ['admin'] }, 'display', NOW).scopes).toEqual(['read']);
  expect(linkBody({ ...NEW_LINK, scopes: ['admin'] }, 'person', NOW).scopes).toEqual(['admin']);
});
