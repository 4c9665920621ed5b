import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForFile } from '@tidewatch/harness/opened';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { describe, expect, it } from 'vitest';
import { readSignOn } from './read-sign-on.ts';
import { signOnSettings } from './sign-on-settings.ts';

const folder = folderForFile();

function fileWith(text: string): string {
  const file = join(folder, 'groups.yaml');
  writeFileSync(file, text);
  return file;
}

const read = (variables: Record<string, string>) => readSignOn(readConfig(signOnSettings, variables));

const variables = (groups: string) => ({
  TIDEWATCH_OIDC_ISSUER: 'https://id.example.com/realms/company',
  TIDEWATCH_OIDC_CLIENT_ID: 'tidewatch',
  TIDEWATCH_OIDC_CLIENT_SECRET: 'secret',
  TIDEWATCH_OIDC_GROUPS_FILE: fileWith(groups),
});

const GROUPS = 'groups:\n  - { group: staff, scopes: [read] }\n';

describe('the settings of single sign-on', () => {
  it('are none by default', () => {
    expect(read({})).toBeNull();
  });

  it.each([
    ['YAML', GROUPS],
    ['JSON', '{"groups": [{"group": "staff", "scopes": ["read"]}]}'],
  ])('take a file of groups in %s', (_, text) => {
    expect(read(variables(text))).toEqual({
      issuer: new URL('https://id.example.com/realms/company'),
      clientId: 'tidewatch',
      clientSecret: 'secret',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      mapping: { groups: [{ group: 'staff', scopes: ['read'] }] },
      name: 'SSO',
    });
  });

  it('belong together, and those that are missing are named', () => {
    expect(() => read({ TIDEWATCH_OIDC_ISSUER: 'https://id.example.com' })).toThrow(
      /TIDEWATCH_OIDC_CLIENT_ID: is missing[\s\S]*TIDEWATCH_OIDC_CLIENT_SECRET: is missing[\s\S]*TIDEWATCH_OIDC_GROUPS_FILE: is missing/,
    );
  });

  it('refuse to keep keys out where nobody else could sign in', () => {
    expect(() => read({ TIDEWATCH_KEY_SIGN_IN: 'off' })).toThrow(
      'TIDEWATCH_KEY_SIGN_IN: is off, and without single sign-on nobody could sign in',
    );
  });

  it.each([
    ['TIDEWATCH_OIDC_ISSUER', 'http://id.example.com', 'must be an https address'],
    ['TIDEWATCH_OIDC_ISSUER', 'https://id.example.com/?a=b', 'must be an https address'],
    ['TIDEWATCH_OIDC_ISSUER', 'https://user:password@id.example.com', 'must be an https address'],
    ['TIDEWATCH_OIDC_ISSUER', 'id.example.com', 'must be an https address'],
    ['TIDEWATCH_OIDC_SCOPES', 'email profile', 'must contain the scope openid'],
    ['TIDEWATCH_OIDC_SCOPES', 'openid,email', 'must contain the scope openid'],
    ['TIDEWATCH_OIDC_NAME', 'a\u202Eb', 'must be text without control characters'],
    ['TIDEWATCH_OIDC_NAME', 'x'.repeat(41), 'must have at most 40 characters'],
    ['TIDEWATCH_KEY_SIGN_IN', 'maybe', 'must be on or off'],
  ])('%s=%s is refused by its name', (name, value, reason) => {
    expect(() => read({ ...variables(GROUPS), [name]: value })).toThrow(`${name}: ${reason}`);
  });

  it('take a provider on this machine without TLS', () => {
    for (const issuer of ['http://127.0.0.1:8080', 'http://localhost:8080/realms/a', 'http://[::1]:8080'])
      expect(read({ ...variables(GROUPS), TIDEWATCH_OIDC_ISSUER: issuer })?.issuer.href).toContain(issuer);
  });

  it.each([
    ['groups: [', /is neither YAML nor JSON: /],
    ['', /: \/: /],
    ['groups: []', /: \/groups: /],
    ['groups: [{ group: staff }]', /: \/groups\/0\/scopes: /],
    ['groups: [{ group: staff, scopes: [ingest] }]', /: \/groups\/0\/scopes\/0: .*"read"/],
    ['groups: [{ group: staff, scopes: [] }]', /: \/groups\/0\/scopes: /],
    ['groups: [{ group: staff, scopes: [read], organization: Retail }]', /: \/groups\/0\/organization: /],
    ['groups: [{ group: staff, scopes: [read], role: x }]', /: \/groups\/0: .*role/],
    [
      'groups: [{ group: 7, scopes: [read] }, { group: "", scopes: [read] }]',
      /\/groups\/0\/group: [\s\S]*\/groups\/1\/group: /,
    ],
    ['a: &a [1]\nb: [*a, *a]', /is neither YAML nor JSON: /],
  ])('refuse the file %j, and name the place', (text, fault) => {
    expect(() => read(variables(text))).toThrow(fault);
  });

  it('refuse a file that cannot be read', () => {
    const settings = { ...variables(GROUPS), TIDEWATCH_OIDC_GROUPS_FILE: join(folder, 'missing.yaml') };
    expect(() => read(settings)).toThrow('missing.yaml: ENOENT, cannot be read');
  });
});
