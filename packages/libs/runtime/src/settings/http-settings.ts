import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { CONNECTIONS_PER_ADDRESS } from '../http/http-server.ts';
import { type ConfigOf, setting, wholeNumber } from './config.ts';
import { ConfigError } from './config-error.ts';

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Returns true if `text` is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

const trustProxySchema = z
  .string()
  .transform((text, context): number | string[] => {
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const proxies = text.split(',').map((each) => each.trim());
    if (proxies.every((each) => PROXY_NAMES.includes(each) || isNetwork(each))) return proxies;
    context.addIssue({
      code: 'custom',
      message: 'must be a number of hops or a list of addresses and CIDRs',
    });
    return z.NEVER;
  })
  .optional();

/** The settings of every process that listens for HTTP. */
export const httpSettings = {
  host: setting({
    env: 'TIDEWATCH_HOST',
    schema: z.string().default('127.0.0.1'),
    meaning: 'The address to listen on.',
    example: '0.0.0.0',
  }),
  port: setting({
    env: 'TIDEWATCH_PORT',
    schema: wholeNumber(0, 65_535).default(8230),
    meaning: 'The port to listen on; 0 takes a free one.',
    example: '8080',
  }),
  trustProxy: setting({
    env: 'TIDEWATCH_TRUST_PROXY',
    schema: trustProxySchema,
    meaning:
      'Whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host count: a number of hops, or addresses and CIDRs.',
    example: '10.0.0.0/8,loopback',
  }),
  connectionsPerAddress: setting({
    env: 'TIDEWATCH_CONNECTIONS_PER_ADDRESS',
    schema: wholeNumber(1, 16_384).default(CONNECTIONS_PER_ADDRESS),
    meaning:
      'Connections that one address, or one /56 of IPv6, may have open at once; further ones are closed. Trusted proxies are not counted.',
    example: '4096',
  }),
  tlsCertFile: setting({
    env: 'TIDEWATCH_TLS_CERT_FILE',
    schema: z.string().optional(),
    meaning: 'Certificate with its chain, PEM; with TIDEWATCH_TLS_KEY_FILE it serves HTTPS instead of HTTP.',
    example: '/etc/tidewatch/tls.crt',
  }),
  tlsKeyFile: setting({
    env: 'TIDEWATCH_TLS_KEY_FILE',
    schema: z.string().optional(),
    meaning: 'Private key of the certificate, PEM.',
    example: '/etc/tidewatch/tls.key',
    namesSecretFile: true,
  }),
};

function readPem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${variable}: ${(error as NodeJS.ErrnoException).code}, cannot read ${file}`);
  }
}

/** The settings in the form that `listen` takes. Throws ConfigError. */
export function readListening(config: ConfigOf<typeof httpSettings>) {
  const { host, port, connectionsPerAddress } = config;
  return { host, port, connectionsPerAddress, tls: readTls(config) };
}

/** The address, TLS and limits with which a process listens. */
export type Listening = ReturnType<typeof readListening>;

/** Reads certificate and key for `listen`; undefined for plain HTTP. Throws ConfigError. */
export function readTls(config: ConfigOf<typeof httpSettings>): { cert: string; key: string } | undefined {
  const { tlsCertFile, tlsKeyFile } = config;
  if (tlsCertFile === undefined && tlsKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsKeyFile === undefined) {
    throw new ConfigError(
      'TIDEWATCH_TLS_CERT_FILE and TIDEWATCH_TLS_KEY_FILE belong together: give both or none',
    );
  }
  const cert = readPem('TIDEWATCH_TLS_CERT_FILE', tlsCertFile);
  return { cert, key: readPem('TIDEWATCH_TLS_KEY_FILE', tlsKeyFile) };
}
