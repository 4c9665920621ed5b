import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { expect } from 'vitest';
import type { Answer, ApiHarness } from './query-api.harness.ts';

export const CONSOLE_HEADERS = { 'X-Tidewatch-Console': '1' };

/** A browser that is signed in. */
export interface Browser {
  /** The id of its session. */
  id: string;
  /** The answer of the sign-in. */
  answer: Answer;
  cookie: string;
  /** Sends a request with the cookie and the header of the console, and no key. */
  ask(method: string, path: string, sent?: { body?: unknown }, headers?: object): Promise<Answer>;
}

export interface Browsers {
  signIn(key: string, body?: object): Promise<Browser>;
  trySignIn(key: string, body?: object, headers?: object): Promise<Answer>;
}

/** Signs in to the harness. Stores its keys, which are in memory, since sessions refer to keys in the database. */
export async function createBrowsers(api: ApiHarness): Promise<Browsers> {
  for (const key of api.keys.values())
    await api.sql`
      insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes)
      values (${key.organizationId}, ${key.id}, ${key.name}, '', decode(${keyDigest(key.name)}, 'hex'),
        string_to_array(${key.scopes.join(',')}, ','))`;

  const trySignIn: Browsers['trySignIn'] = (key, body = {}, headers = {}) =>
    api.call('POST', '/api/v1/session', {
      key: null,
      body: { key, ...body },
      headers: { ...CONSOLE_HEADERS, ...headers },
    });

  return {
    trySignIn,
    async signIn(key, body) {
      const answer = await trySignIn(key, body);
      expect(answer.status, answer.text).toBe(201);
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      return {
        id: answer.body.session.id,
        answer,
        cookie,
        ask: (method, path, sent = {}, headers = {}) =>
          api.call(method, path, { key: null, ...sent, headers: { ...CONSOLE_HEADERS, cookie, ...headers } }),
      };
    },
  };
}
