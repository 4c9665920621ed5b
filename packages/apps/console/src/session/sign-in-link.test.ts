import { expect, it } from 'vitest';
import { openPage, secretOf, takeSignInLink, targetOf } from './sign-in-link.ts';

it.each([
  ['/system', '/system'],
  ['/?display=1', '/?display=1'],
  [undefined, '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/system', '/'],
  ['/\\evil.example/system', '/'],
  ['javascript:alert(1)', '/'],
  ['system', '/'],
  ['/api/v1/alerts', '/'],
  ['/sign-in', '/'],
  ['/sign-in?to=%2Fsystem', '/'],
])('leads from %s to %s', (to, target) => {
  expect(targetOf(to)).toBe(target);
});

it.each([
  ['#link=kT3', 'kT3'],
  ['#link=', null],
  ['#main', null],
  ['', null],
])('reads %s as %s', (hash, secret) => {
  expect(secretOf(hash)).toBe(secret);
});

it('comes back to the page that is open, without a query that is too long', () => {
  const location = { pathname: '/alerts', search: '?status=all', hash: '#top' };
  expect(openPage(location)).toBe('/alerts?status=all#top');
  expect(openPage({ ...location, search: `?q=${'x'.repeat(2_000)}` })).toBe('/alerts');
});

it('removes the secret from the address', () => {
  const written: unknown[] = [];
  const history = { state: { key: 1 }, replaceState: (...given: unknown[]) => written.push(given) };
  const location = { hash: '#link=kT3', pathname: '/sign-in', search: '?to=%2Fsystem' };
  expect(takeSignInLink(location as Location, history as never)).toBe('kT3');
  expect(written).toEqual([[{ key: 1 }, '', '/sign-in?to=%2Fsystem']]);
});
