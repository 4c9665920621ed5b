import { expect, it } from 'vitest';
import { addressFor, commandOf, isLoopback, WAYS, type Way } from './commands.ts';

const URL_OF = 'http://monitor.example:8230';

it.each(Object.keys(WAYS) as Way[])('the command for %s holds the address and the key', (way) => {
  const command = commandOf(way, URL_OF, 'tw_1');
  expect(command).toContain(URL_OF);
  expect(command).toContain('tw_1');
  expect(command).not.toContain('\n');
});

it.each([
  ['http://10.0.0.5:8230', null, 'http://10.0.0.5:8230'],
  ['http://10.0.0.5:8230', 'https://monitor.example', 'http://10.0.0.5:8230'],
  ['http://127.0.0.1:8230', 'https://monitor.example/', 'https://monitor.example'],
  ['http://127.0.0.1:8230', 'http://localhost:8230', 'http://127.0.0.1:8230'],
])('a page at %s with the public address %s has commands for %s', (origin, publicUrl, expected) => {
  expect(addressFor(origin, publicUrl)).toBe(expected);
});

it.each([
  ['http://127.0.0.1:8230', true],
  ['http://localhost:8230', true],
  ['http://[::1]:8230', true],
  ['http://10.0.0.5:8230', false],
  ['https://127.example', false],
])('takes %s as an address of this machine alone: %s', (url, isOnlyHere) => {
  expect(isLoopback(url)).toBe(isOnlyHere);
});
