import { isServed, pageAt } from '@tidewatch/contracts/console/paths';
import { expect, it } from 'vitest';
import { secretOf, takeSignInLink, targetOf } from './sign-in-link.ts';

const isPage = (path: string) => {
  const page = pageAt(path);
  return page !== undefined && isServed(page.name) && page.name !== 'signIn';
};

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
])('leads from %s to %s', (to, target) => {
  expect(targetOf(to, isPage)).toBe(target);
});

it.each([
  ['#link=kT3', 'kT3'],
  ['#link=', null],
  ['#main', null],
  ['', null],
])('reads %s as %s', (hash, secret) => {
  expect(secretOf(hash)).toBe(secret);
});

it('removes the secret from the address', () => {
  const written: unknown[] = [];
  const history = { state: { key: 1 }, replaceState: (...given: unknown[]) => written.push(given) };
  const location = { hash: '#link=kT3', pathname: '/sign-in', search: '?to=%2Fsystem' };
  expect(takeSignInLink(location as Location, history as never)).toBe('kT3');
  expect(written).toEqual([[{ key: 1 }, '', '/sign-in?to=%2Fsystem']]);
});
