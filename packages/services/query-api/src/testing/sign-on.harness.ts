import {
  createProviderBrowser,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestIdentityProviderOptions,
} from '@tidewatch/harness/identity-provider';
import { type Answer, type ApiHarness, openApi } from './query-api.harness.ts';
import { CONSOLE_HEADERS } from './sessions.harness.ts';

export const SIGN_ON = '/api/v1/session/sign-on';
/** Where the provider sends browsers: the public URL of the harness, which a proxy serves. */
const CALLBACK = 'https://tidewatch.example/sign-in/callback';

export const PAGE = { Accept: 'text/html,*/*;q=0.8' };

/** The query API with single sign-on at a real identity provider. */
export interface SignOnHarness {
  api: ApiHarness;
  provider: TestIdentityProvider;
  /** A browser that is signed in nowhere. */
  browser(): SignOnBrowser;
  close(): Promise<void>;
}

export interface SignOnBrowser {
  /** The cookies of Tidewatch by name. */
  cookies: Map<string, string>;
  /** Sends a request of the console, with the cookies and no key. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  begin(body?: object): Promise<Answer>;
  /** Opens the address to which the provider has sent the browser; on the way back Strict cookies are not sent. */
  open(back: URL, headers?: object): Promise<Answer>;
  /** Signs in at the provider and comes back. `forgets` leaves the session that the browser has at the provider out. */
  signIn(
    login: string,
    body?: object,
    options?: { forgets?: boolean },
  ): Promise<{ answer: Answer; back: URL; wasAsked: boolean }>;
}

export async function openSignOn(
  options: TestIdentityProviderOptions,
  variables: Readonly<Record<string, string>> = {},
): Promise<SignOnHarness> {
  const provider = await startIdentityProvider(options);
  provider.serve(CALLBACK);
  const api = await openApi({}, undefined, undefined, { ...provider.settings, ...variables });
  // The provider and openid-client go by the time of the machine.
  api.clock.now = Date.now();
  return {
    api,
    provider,
    browser: () => createBrowser(api),
    async close() {
      await api.close();
      await provider.close();
    },
  };
}

function createBrowser(api: ApiHarness): SignOnBrowser {
  const signInAt = createProviderBrowser();
  const cookies = new Map<string, string>();
  const header = (isSent: (name: string) => boolean) =>
    [...cookies]
      .filter(([name]) => isSent(name))
      .map((entry) => entry.join('='))
      .join('; ');

  function keep(answer: Answer): Answer {
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  const browser: SignOnBrowser = {
    cookies,
    async ask(method, path, body) {
      const headers = { ...CONSOLE_HEADERS, cookie: header(() => true) };
      return keep(await api.call(method, path, { key: null, body, headers }));
    },
    begin: (body = {}) => browser.ask('POST', SIGN_ON, body),
    async open(back, headers = {}) {
      const cookie = header((name) => name.includes('sign-on'));
      const sent = { cookie, ...PAGE, ...headers };
      return keep(await api.get(back.pathname + back.search, { key: null, headers: sent }));
    },
    async signIn(login, body, { forgets = false } = {}) {
      const begun = await browser.begin(body);
      if (begun.status !== 200) throw new Error(`the sign-in did not begin: ${begun.text}`);
      const { back, wasAsked } = await (forgets ? createProviderBrowser() : signInAt)(begun.body.url, login);
      return { answer: await browser.open(back), back, wasAsked };
    },
  };
  return browser;
}
