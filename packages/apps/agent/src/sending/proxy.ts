import type { ProxyEnv } from 'node:http';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

/**
 * The proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY (lower case first, as curl does) for requests to `url`; undefined without
 * a proxy or for this machine. HTTP_PROXY serves https too where HTTPS_PROXY is missing. Throws a ConfigError without the
 * proxy's address, which may contain a password.
 */
export function proxiesFor(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): ProxyEnv | undefined {
  if (isThisMachine(new URL(url).hostname)) return undefined;
  const httpProxy = addressOf('HTTP_PROXY', env);
  const httpsProxy = addressOf('HTTPS_PROXY', env);
  if (httpProxy === '' && httpsProxy === '') return undefined;
  return {
    HTTP_PROXY: httpProxy,
    HTTPS_PROXY: httpsProxy || httpProxy,
    NO_PROXY: env.no_proxy || env.NO_PROXY || '',
  };
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
