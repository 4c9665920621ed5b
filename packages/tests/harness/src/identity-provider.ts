import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

export const CLIENT_ID = 'tidewatch';
const CLIENT_SECRET = 'the-secret-of-tidewatch-at-its-provider';
const SCOPES = 'openid email profile groups';

/** The claims of a user besides `sub`, which is the name with which the user signs in. */
export interface Account {
  email?: string;
  email_verified?: boolean;
  groups?: readonly string[];
}

/** Changes an ID token before it is sent; `sign` signs other claims with the key of the provider. */
export type Spoil = (claims: JWTPayload, sign: (claims: JWTPayload) => Promise<string>) => Promise<string>;

/** A real identity provider by OpenID Connect, on the loopback interface. It asks for a name and no password. */
export interface TestIdentityProvider {
  issuer: string;
  /** Users by the name with which they sign in; changes count from the next sign-in on. */
  accounts: Map<string, Account>;
  /** Changes the ID tokens that are sent; null for none. */
  spoil: Spoil | null;
  /** Answers a request in place of the provider, where it returns true. */
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** The settings of single sign-on of a Tidewatch whose users sign in here. */
  settings: Readonly<Record<string, string>>;
  /** Sends browsers back to this address, of the Tidewatch that has the settings. */
  serve(redirectUri: string): void;
  close(): Promise<void>;
}

export interface TestIdentityProviderOptions {
  /** The content of the file that maps groups. */
  groups: unknown;
  /** Whether ID tokens have `auth_time` in every sign-in. */
  saysWhen?: boolean;
  /** Whether claims of scopes are left out of the ID token, and answered by the userinfo endpoint alone. */
  hasThinTokens?: boolean;
}

export async function startIdentityProvider(
  options: TestIdentityProviderOptions,
): Promise<TestIdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-identity-provider-'));
  const groupsFile = join(folder, 'groups.json');
  writeFileSync(groupsFile, JSON.stringify(options.groups));
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => {
    if (started.misbehave?.(request, response)) return;
    if (handle === undefined) response.writeHead(503).end();
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey);

  const started: TestIdentityProvider = {
    issuer,
    accounts: new Map(),
    spoil: null,
    misbehave: null,
    settings: {
      TIDEWATCH_OIDC_ISSUER: issuer,
      TIDEWATCH_OIDC_CLIENT_ID: CLIENT_ID,
      TIDEWATCH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      TIDEWATCH_OIDC_SCOPES: SCOPES,
      TIDEWATCH_OIDC_GROUPS_FILE: groupsFile,
      TIDEWATCH_OIDC_NAME: 'Example SSO',
    },
    serve(redirectUri) {
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
      const provider = new Provider(issuer, {
        ...configurationOf(options, started.accounts, redirectUri),
        jwks: { keys: [jwk as { kty: string }] },
        loadExistingGrant: async (ctx) => {
          const grant = new ctx.oidc.provider.Grant({
            clientId: CLIENT_ID,
            accountId: ctx.oidc.session?.accountId ?? '',
          });
          grant.addOIDCScope(SCOPES);
          await grant.save();
          return grant;
        },
      });
      provider.use(async (ctx, next) => {
        await next();
        const { id_token: token } = (ctx.body ?? {}) as { id_token?: string };
        if (started.spoil === null || token === undefined) return;
        ctx.body = { ...(ctx.body as object), id_token: await started.spoil(decodeJwt(token), sign) };
      });
      const callback = provider.callback();
      handle = (request, response) => {
        if (request.url?.startsWith('/interaction/')) void signIn(provider, request, response);
        else void callback(request, response);
      };
    },
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return started;
}

function configurationOf(
  { saysWhen = true, hasThinTokens = false }: TestIdentityProviderOptions,
  accounts: ReadonlyMap<string, Account>,
  redirectUri: string,
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        require_auth_time: saysWhen,
      },
    ],
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'], profile: ['name'] },
    conformIdTokenClaims: hasThinTokens,
    findAccount: (_ctx, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ sub, ...account }) };
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  };
}

/** The page on which a user signs in by a name. Without a name the user has refused. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><title>Example SSO</title><h1>Example SSO</h1><form method="post"><label>User <input name="login"></label><button>Continue</button></form>',
    );
    return;
  }
  const login = new URLSearchParams(await text(request)).get('login') ?? '';
  const refusal = { error: 'access_denied', error_description: 'The user has refused.' };
  await provider.interactionFinished(
    request,
    response,
    login === '' ? refusal : { login: { accountId: login } },
  );
}

/** A browser at the identity provider, which keeps its cookies. */
export function createProviderBrowser() {
  const cookies = new Map<string, string>();

  async function send(url: string, body?: string): Promise<Response> {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map((entry) => entry.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /**
   * Opens the address at which a sign-in begins, signs in by `login` where the provider asks, and returns where it sends the browser
   * back to.
   */
  return async function signInAt(url: string, login: string): Promise<{ back: URL; wasAsked: boolean }> {
    const { origin } = new URL(url);
    let wasAsked = false;
    let at = url;
    for (let step = 0; step < 10; step += 1) {
      const isForm = new URL(at).pathname.startsWith('/interaction/');
      wasAsked ||= isForm;
      const response = await send(at, isForm ? new URLSearchParams({ login }).toString() : undefined);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
      await response.body?.cancel();
      const next = new URL(location, at);
      if (next.origin !== origin) return { back: next, wasAsked };
      at = next.href;
    }
    throw new Error('the identity provider redirects without end');
  };
}
