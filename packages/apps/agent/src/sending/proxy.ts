import { ConfigError } from '@tidewatch/runtime/settings/config';
import type { RequestInit } from 'undici';

/**
 * A `fetch` that sends requests for `url` through the proxy of HTTP_PROXY, HTTPS_PROXY and NO_PROXY (lower case first, as
 * curl does); undefined without a proxy or for this machine. Node's own support would send plain http through CONNECT,
 * which proxies refuse. Throws a ConfigError without the proxy's address, which may contain a password.
 */
export async function fetchByProxy(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<typeof fetch | undefined> {
  if (isThisMachine(new URL(url).hostname)) return undefined;
  const httpProxy = addressOf('HTTP_PROXY', env);
  const httpsProxy = addressOf('HTTPS_PROXY', env);
  if (httpProxy === '' && httpsProxy === '') return undefined;
  const noProxy = env.no_proxy || env.NO_PROXY || '';
  // Loaded only here, because it takes 10 MB of memory.
  const { EnvHttpProxyAgent, fetch: send } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
  const byProxy = (input: string, init?: RequestInit) => send(input, { ...init, dispatcher });
  // Both types are those of undici's fetch, of which Node contains a copy.
  return byProxy as unknown as typeof fetch;
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/i.test(hostname);
}

function addressOf(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const text = env[name.toLowerCase()] || env[name] || '';
  if (text === '') return '';
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new ConfigError(
      `${name} must be the address of an http or https proxy, such as http://proxy.example:3128`,
    );
  return address;
}
