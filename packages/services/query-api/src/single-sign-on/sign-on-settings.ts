import { onOff, setting } from '@tidewatch/runtime/settings/config';
import { z } from 'zod';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;
const ISSUER_FAULT =
  'must be an https address without query and fragment, as the provider spells it; http only for a provider on this machine';

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[\s?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const word = (max: number) => z.string().max(max, `must have at most ${max} characters`);

/** The settings of single sign-on by OpenID Connect. `readSignOn` checks that they fit together. */
export const signOnSettings = {
  oidcIssuer: setting({
    env: 'TIDEWATCH_OIDC_ISSUER',
    schema: z.string().refine(isIssuer, ISSUER_FAULT).optional(),
    meaning:
      'The identity provider of single sign-on: its issuer, below which /.well-known/openid-configuration lies.',
    example: 'https://id.example.com/realms/company',
  }),
  oidcClientId: setting({
    env: 'TIDEWATCH_OIDC_CLIENT_ID',
    schema: word(500).optional(),
    meaning: 'The id under which Tidewatch is registered with the identity provider.',
    example: 'tidewatch',
  }),
  oidcClientSecret: setting({
    env: 'TIDEWATCH_OIDC_CLIENT_SECRET',
    schema: word(5_000).optional(),
    meaning: 'The secret that belongs to the client id.',
    example: 'what the identity provider shows',
    secret: true,
  }),
  oidcScopes: setting({
    env: 'TIDEWATCH_OIDC_SCOPES',
    schema: word(1_000)
      .regex(
        /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
        'must be scopes with a space between each two',
      )
      .refine((text) => text.split(' ').includes('openid'), 'must contain the scope openid')
      .default('openid email profile'),
    meaning:
      'The scopes that the identity provider is asked for. Some providers send groups only for a scope of their own.',
    example: 'openid email groups',
  }),
  oidcGroupsClaim: setting({
    env: 'TIDEWATCH_OIDC_GROUPS_CLAIM',
    schema: word(500).default('groups'),
    meaning: 'The claim with the groups of a user.',
    example: 'roles',
  }),
  oidcGroupsFile: setting({
    env: 'TIDEWATCH_OIDC_GROUPS_FILE',
    schema: z.string().optional(),
    meaning: 'A YAML or JSON file that says which group may do what, in which organization.',
    example: '/etc/tidewatch/groups.yaml',
  }),
  oidcName: setting({
    env: 'TIDEWATCH_OIDC_NAME',
    schema: word(40)
      .regex(/^[^\p{Cc}\p{Cf}]+$/u, 'must be text without control characters')
      .default('SSO'),
    meaning: 'What users call the identity provider: the console offers "Sign in with <name>".',
    example: 'Example SSO',
  }),
  hasKeySignIn: setting({
    env: 'TIDEWATCH_KEY_SIGN_IN',
    schema: onOff().default(true),
    meaning:
      'Whether keys sign people in. With off keys are for programs and screens, and people use single sign-on.',
    example: 'off',
  }),
};
