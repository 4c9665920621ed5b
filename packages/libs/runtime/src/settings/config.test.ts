import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeConfig, onOff, readConfig, setting, unknownSettings, wholeNumber } from './config.ts';
import { ConfigError } from './config-error.ts';
import { httpSettings, readTls } from './http-settings.ts';

const folder = folderForFile();

const settings = {
  port: setting({
    env: 'T_PORT',
    schema: wholeNumber(1, 9).default(5),
    meaning: 'Port.',
    default: '5',
    example: '7',
  }),
  agent: setting({
    env: 'T_AGENT',
    schema: onOff().default(true),
    meaning: 'Agent.',
    default: 'on',
    example: 'off',
  }),
  key: setting({
    env: 'T_KEY',
    schema: z.string().min(4).optional(),
    meaning: 'Key.',
    example: 'abcd',
    secret: true,
  }),
};

describe('readConfig', () => {
  it('uses the default of a setting that is absent or empty', () => {
    expect(readConfig(settings, { T_PORT: '' })).toEqual({ port: 5, agent: true, key: undefined });
  });

  it('reads the value of each kind of setting', () => {
    expect(readConfig(settings, { T_PORT: '7', T_AGENT: 'OFF', T_KEY: 'abcd' })).toEqual({
      port: 7,
      agent: false,
      key: 'abcd',
    });
  });

  it.each(['10', '0', 'x', '1.5'])('names the allowed range of a whole number that is %s', (text) => {
    expect(() => readConfig(settings, { T_PORT: text })).toThrow('must be a whole number from 1 to 9');
  });

  it('reads a secret from its file, without the newline at its end', () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'from-file\n');
    expect(readConfig(settings, { T_KEY_FILE: file }).key).toBe('from-file');
  });

  it('names every wrong setting at once, and no value', () => {
    const read = () => readConfig(settings, { T_PORT: '12', T_AGENT: 'perhaps', T_KEY: 'abc' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/T_PORT.*\n.*T_AGENT.*\n.*T_KEY/);
    expect(read).not.toThrow(/perhaps/);
  });

  it('names a setting that is still the placeholder of an example, also in the middle of a secret', () => {
    for (const env of [{ T_KEY: 'abcd…' }, { T_KEY: '<API_KEY>' }, { T_PORT: '…' }])
      expect(() => readConfig(settings, env)).toThrow(
        `${Object.keys(env)[0]}: is the placeholder of an example; replace it with the complete value`,
      );
  });

  it('refuses a secret that is set twice and a secret file that does not exist', () => {
    expect(() => readConfig(settings, { T_KEY: 'abcd', T_KEY_FILE: '/x' })).toThrow(/not both/);
    expect(() => readConfig(settings, { T_KEY_FILE: join(folder, 'none') })).toThrow(/T_KEY_FILE: ENOENT/);
  });

  it('finds misspelt settings and describes the known ones', () => {
    const known = { a: setting({ ...settings.key, env: 'TIDEWATCH_A' }) };
    expect(
      unknownSettings([known], { TIDEWATCH_A: '', TIDEWATCH_A_FILE: '', TIDEWATCH_B: '', PATH: '' }),
    ).toEqual(['TIDEWATCH_B']);
    expect(describeConfig('Title', settings)).toContain('T_KEY (or T_KEY_FILE)');
  });
});

describe('httpSettings', () => {
  it.each([
    ['2', 2],
    ['10.0.0.0/8, loopback,::1', ['10.0.0.0/8', 'loopback', '::1']],
  ])('trusts %s', (text, trusted) => {
    expect(readConfig(httpSettings, { TIDEWATCH_TRUST_PROXY: text }).trustProxy).toEqual(trusted);
  });

  it.each(['everyone', '10.0.0.0/33', '-1'])('refuses to trust %s', (text) => {
    expect(() => readConfig(httpSettings, { TIDEWATCH_TRUST_PROXY: text })).toThrow(/TIDEWATCH_TRUST_PROXY/);
  });

  it('refuses a certificate without a key and a key without a certificate', () => {
    expect(readTls(readConfig(httpSettings, {}))).toBeUndefined();
    expect(() => readTls(readConfig(httpSettings, { TIDEWATCH_TLS_CERT_FILE: '/x' }))).toThrow(
      /belong together/,
    );
  });
});
