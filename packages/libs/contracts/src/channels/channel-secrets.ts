import type { Exposure } from './kinds/channel-kind.ts';
import { factsOf, type KindAndConfig } from './kinds/channel-kinds.ts';

type Config = Readonly<Record<string, unknown>>;

/** A configuration in the form that responses contain, with secrets masked. */
export function maskConfig({ kind, config }: KindAndConfig): Config {
  return factsOf<KindAndConfig['kind']>(kind).mask(config as never);
}

/** `changed` with masked values replaced by the stored secrets for which they stand. */
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

/** The paths within `config` of stored secrets that a change would send to another server, whose owner could read them. */
export function secretsSentElsewhere(before: KindAndConfig, after: KindAndConfig): string[] {
  const [was, is] = [exposureOf(before), exposureOf(after)];
  if (before.kind !== after.kind || was.origin === null || was.origin === is.origin) return [];
  return Object.keys(is.secrets).filter((name) => isSameSecret(is.secrets[name], was.secrets[name]));
}

function exposureOf({ kind, config }: KindAndConfig): Exposure {
  return factsOf<KindAndConfig['kind']>(kind).exposure(config as never);
}

/** Compares secrets in constant time, so that a stored secret cannot be guessed by timing. */
function isSameSecret(given = '', stored = ''): boolean {
  let differences = given.length ^ stored.length;
  for (let index = 0; index < given.length; index += 1)
    differences |= given.charCodeAt(index) ^ (stored.charCodeAt(index) || 0);
  return differences === 0;
}
