import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { consoleSettings } from './console-settings.ts';
import { destinationSettings, readDestinationOptions } from './destination-settings.ts';
import { ownSecretKeySettings, secretKeySettings } from './secret-key-settings.ts';

const read = (env: Record<string, string>) =>
  readDestinationOptions(readConfig({ ...destinationSettings, ...consoleSettings }, env));

it('by default private addresses are refused and there is no mail server', () => {
  expect(read({})).toEqual({ allowPrivate: false, email: null, publicUrl: null });
});

it.each([
  ['true', true],
  ['ON', true],
  ['0', false],
  ['10.0.0.0/8, 127.0.0.1,::1', ['10.0.0.0/8', '127.0.0.1/32', '::1/128']],
])('private destinations %j are %j', (text, allowed) => {
  expect(read({ TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: text }).allowPrivate).toEqual(allowed);
});

it('the public URL has no slash at its end', () => {
  expect(read({ TIDEWATCH_PUBLIC_URL: 'https://tw.example/at/' }).publicUrl).toBe('https://tw.example/at');
});

it('messages have no address to link to where the console is off', () => {
  const off = { TIDEWATCH_PUBLIC_URL: 'https://tw.example', TIDEWATCH_CONSOLE: 'off' };
  expect(read(off).publicUrl).toBeNull();
});

it('the mail server has a default sender', () => {
  expect(read({ TIDEWATCH_EMAIL_SMTP_URL: 'smtp://u:p@mail.example:587' }).email).toEqual({
    smtpUrl: 'smtp://u:p@mail.example:587',
    from: 'Tidewatch <tidewatch@localhost>',
  });
});

it.each([
  ['TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS', 'everything'],
  ['TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS', '10.0.0.0/33'],
  ['TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS', 'loopback'],
  ['TIDEWATCH_PUBLIC_URL', 'tw.example'],
  ['TIDEWATCH_PUBLIC_URL', 'https://tw.example/?a=1'],
  ['TIDEWATCH_EMAIL_SMTP_URL', 'http://mail.example'],
  ['TIDEWATCH_EMAIL_SMTP_URL', 'smtp://'],
  ['TIDEWATCH_EMAIL_FROM', 'a@b.example\r\nBcc: c@d.example'],
  ['TIDEWATCH_EMAIL_FROM', 'Tidewatch'],
])('%s=%j is refused by its name', (env, text) => {
  expect(() => read({ [env]: text })).toThrow(env);
});

describe('the secret key', () => {
  const keyOf = (text: string) => readConfig(secretKeySettings, { TIDEWATCH_SECRET_KEY: text }).secretKey;

  it('is 32 bytes, in hexadecimal digits or in base64', () => {
    const bytes = Buffer.alloc(32, 0xab);
    for (const spelling of ['hex', 'base64', 'base64url'] as const)
      expect(Buffer.from(keyOf(bytes.toString(spelling)))).toEqual(bytes);
  });

  it.each(['', 'short', 'ab'.repeat(31), 'ab'.repeat(33), `${'A'.repeat(43)} `, 'ä'.repeat(43)])(
    '%j is refused, and the error does not repeat it',
    (text) => {
      expect(() => keyOf(text)).toThrow('TIDEWATCH_SECRET_KEY');
      if (text !== '') expect(() => keyOf(text)).not.toThrow(text);
    },
  );

  it('is optional in a process that creates it', () => {
    expect(readConfig(ownSecretKeySettings, {}).secretKey).toBeUndefined();
  });
});
