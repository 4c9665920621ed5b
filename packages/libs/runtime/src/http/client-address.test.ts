import { describe, expect, it } from 'vitest';
import { clientAddress, normalAddress } from './client-address.ts';

describe('normalAddress', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    [' 198.51.100.7 ', '198.51.100.7'],
    ['198.51.100.7:50123', '198.51.100.7'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['[::ffff:198.51.100.7]:1', '198.51.100.7'],
  ])('%j is %s', (text, expected) => expect(normalAddress(text)).toBe(expected));

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    'host.example',
    'host.example:80',
    '256.1.1.1',
    '1.2.3',
    '010.1.1.1',
    '[198.51.100.7]:80',
    '[]',
    '198.51.100.7:',
    '198.51.100.7:123456',
    '198.51.100.7:80:90',
    '"198.51.100.7"',
    '%eth0',
    'for=198.51.100.7',
  ])('%j is no address', (text) => expect(normalAddress(text)).toBeNull());
});

describe('clientAddress', () => {
  const one = (_: string, hop: number) => hop < 1;
  const inner = (address: string) => address.startsWith('10.');

  it.each<[string, string | undefined, (address: string, hop: number) => boolean, string]>([
    ['no header', undefined, one, '10.0.0.1'],
    ['nobody is trusted', '198.51.100.7', () => false, '10.0.0.1'],
    ['a port', '198.51.100.7:1', one, '198.51.100.7'],
    ['the nearest of several, by hops', '203.0.113.9, 198.51.100.7:1', one, '198.51.100.7'],
    ['no address', 'unknown', one, '10.0.0.1'],
    ['an empty value', '', one, '10.0.0.1'],
    ['a trailing comma', '198.51.100.7,', one, '10.0.0.1'],
    ['trusted proxies with ports', '203.0.113.9, 198.51.100.7:1, 10.0.0.2:2', inner, '198.51.100.7'],
    ['no address behind a trusted proxy', 'unknown, 10.0.0.2', inner, '10.0.0.2'],
    ['trusted proxies alone', '10.0.0.3, 10.0.0.2', inner, '10.0.0.3'],
    ['a very long list', `${'10.0.0.4,'.repeat(5_000)}198.51.100.7`, inner, '198.51.100.7'],
  ])('%s', (_, header, trusts, expected) =>
    expect(clientAddress('::ffff:10.0.0.1', header, trusts)).toBe(expected),
  );

  it('is unknown once the connection has closed', () =>
    expect(clientAddress(undefined, '198.51.100.7', () => true)).toBeUndefined());
});
