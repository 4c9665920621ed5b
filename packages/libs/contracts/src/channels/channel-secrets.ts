import { type ConfigByKind, type KindAndConfig, PROVIDER_APIS } from './channel-config.ts';

const HIDDEN = '…';
/** Of shorter secrets nothing is shown. */
const MIN_SHOWN = 12;

/** The masked form of a secret: "…last4". */
export function maskSecret(secret: string): string {
  return secret.length < MIN_SHOWN ? HIDDEN : `${HIDDEN}${secret.slice(-4)}`;
}

/** An address without what its path and query may hide: "https://hooks.slack.com/…last4". */
export function maskUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  const rest = `${pathname}${search}`;
  return rest === '/' ? `${origin}/` : `${origin}/${maskSecret(rest)}`;
}

/** The address of a provider is not secret; one that a client sets in its place may be. */
function maskApi(url: string): string {
  return Object.values<string>(PROVIDER_APIS).includes(url) ? url : maskUrl(url);
}

type Fields<C> = { readonly [Name in keyof C]?: (value: string) => string };

/** How each secret field is shown, by kind; headers are shown by name alone. */
const MASKS: { [Kind in keyof ConfigByKind]: Fields<Record<string, unknown>> } = {
  slack: { webhook_url: maskUrl, bot_token: maskSecret, api_url: maskApi },
  email: {},
  webhook: { url: maskUrl, secret: maskSecret },
  pagerduty: { routing_key: maskSecret, api_url: maskApi },
};

type Config = Readonly<Record<string, unknown>>;

/** A configuration as it is read back: secrets masked, everything else as it is. */
export function maskConfig({ kind, config }: KindAndConfig): Config {
  const masked: Record<string, unknown> = { ...config };
  for (const [name, mask] of Object.entries(MASKS[kind])) {
    const value = masked[name];
    if (typeof value === 'string' && mask !== undefined) masked[name] = mask(value);
  }
  if (kind === 'webhook')
    masked['headers'] = Object.fromEntries(
      Object.entries(config.headers).map(([name, value]) => [name, maskSecret(value)]),
    );
  return masked;
}

/** `changed` with what was sent back as it is shown replaced by what is stored. */
export function keepMasked(stored: KindAndConfig, changed: unknown): unknown {
  return restored(changed, stored.config as unknown as Config, maskConfig(stored));
}

function restored(value: unknown, stored: unknown, masked: unknown): unknown {
  if (typeof value === 'string') return value === masked ? stored : value;
  if (!isObject(value) || !isObject(stored) || !isObject(masked)) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    return [name, Object.hasOwn(stored, name) ? restored(each, stored[name], masked[name]) : each];
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a configuration sends what it holds, and the secrets that go there as they are. */
function exposure({ kind, config }: KindAndConfig): {
  origin: string | null;
  secrets: Record<string, string>;
} {
  switch (kind) {
    case 'slack':
      return 'webhook_url' in config
        ? { origin: null, secrets: {} }
        : { origin: new URL(config.api_url).origin, secrets: { bot_token: config.bot_token } };
    case 'webhook': {
      const headers = Object.entries(config.headers).map(([name, value]) => [`headers/${name}`, value]);
      return { origin: new URL(config.url).origin, secrets: Object.fromEntries(headers) };
    }
    case 'pagerduty':
      return { origin: new URL(config.api_url).origin, secrets: { routing_key: config.routing_key } };
    case 'email':
      return { origin: null, secrets: {} };
  }
}

/**
 * Paths within `config` of stored secrets that a change would send to another server than the one that they were
 * entered for, whose owner could read them.
 */
export function secretsSentElsewhere(before: KindAndConfig, after: KindAndConfig): string[] {
  const [was, is] = [exposure(before), exposure(after)];
  if (before.kind !== after.kind || was.origin === null || was.origin === is.origin) return [];
  return Object.keys(is.secrets).filter((name) => isSameSecret(is.secrets[name], was.secrets[name]));
}

/** Takes the same time whichever characters differ, so that a stored secret cannot be guessed by timing. */
function isSameSecret(given = '', stored = ''): boolean {
  let differences = given.length ^ stored.length;
  for (let index = 0; index < given.length; index += 1)
    differences |= given.charCodeAt(index) ^ (stored.charCodeAt(index) || 0);
  return differences === 0;
}
