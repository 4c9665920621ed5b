import { expect, it } from 'vitest';
import { createPrivateDestinationCheck } from './private-destinations.ts';

const HOOK = (host: string) => ({ url: `https://${host}/hook` });

it.each(['10.0.0.1', '127.0.0.1:8080', '169.254.169.254', '[::1]', '[fd00::1]', '0x7f.1'])(
  'a channel to %s is refused with the name of its field',
  (host) => {
    const check = createPrivateDestinationCheck(false);
    expect(check(HOOK(host))).toMatchObject([{ path: '/config/url', code: 'private_destination' }]);
    expect(check({ webhook_url: HOOK(host).url })).toMatchObject([{ path: '/config/webhook_url' }]);
  },
);

it.each(['93.184.216.34', 'example.com', 'localhost', '[2606:2800:220:1::1]'])(
  'a channel to %s is accepted',
  (host) => {
    expect(createPrivateDestinationCheck(false)(HOOK(host))).toEqual([]);
  },
);

it('a channel to an allowed network is accepted, and so is one whose address has not changed', () => {
  expect(createPrivateDestinationCheck(['10.0.0.0/8'])(HOOK('10.1.2.3'))).toEqual([]);
  expect(createPrivateDestinationCheck(true)(HOOK('127.0.0.1'))).toEqual([]);
  expect(createPrivateDestinationCheck(false)(HOOK('10.1.2.3'), HOOK('10.1.2.3'))).toEqual([]);
});
