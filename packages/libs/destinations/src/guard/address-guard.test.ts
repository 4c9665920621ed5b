import { describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';

const PRIVATE = [
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
  ],
  ...[
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.255.255.255',
  ],
  ...['255.255.255.255', '240.0.0.1', '192.0.2.1', '192.88.99.1'],
  ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '::7f00:1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
  ...[
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '2001:db8::1',
    '100::1',
    '5f00::1',
    '3fff::1',
  ],
  ...['', 'localhost', '256.1.1.1', '127.0.0.1:80', '[::1]'],
];

const PUBLIC = [
  '1.1.1.1',
  '93.184.215.14',
  '100.63.255.255',
  '172.32.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
];

describe('the address guard without private networks', () => {
  const guard = createAddressGuard(false);
  it.each(PRIVATE)('the address guard refuses %j by default', (address) =>
    expect(guard(address)).toBe(false),
  );
  it.each(PUBLIC)('the address guard allows %j by default', (address) => expect(guard(address)).toBe(true));
});

it('the address guard allows every address if all private addresses are allowed', () => {
  const guard = createAddressGuard(true);
  for (const address of ['127.0.0.1', '::1', '169.254.169.254']) expect(guard(address)).toBe(true);
});

it('the address guard allows configured networks in every notation of an address, and no other private address', () => {
  const guard = createAddressGuard(['127.0.0.0/8', 'fd00::/8']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'fd12::1', '1.1.1.1'])
    expect(guard(address)).toBe(true);
  for (const address of ['10.0.0.1', '::1', '64:ff9b::7f00:1']) expect(guard(address)).toBe(false);
});

it.each(['10.0.0.0', '10.0.0.0/33', 'private', ''])('createAddressGuard refuses %j as a network', (text) => {
  expect(() => createAddressGuard([text])).toThrow(RangeError);
});
