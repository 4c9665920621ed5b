import { hash } from 'node:crypto';
import { SCOPES } from '@tidewatch/contracts/values/access';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { makeKeyText } from './key-text.ts';

export interface BootstrapOptions {
  /** The operator's own key, at least 32 characters, or null to create one if there is none. */
  key: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  newId: (prefix: IdPrefix) => string;
  /** Returns 64 random hexadecimal digits; cryptographically random by default. */
  randomSecret?: () => string;
}

export interface Bootstrapped {
  /** Whether a key was created or has become valid again. */
  created: boolean;
  /** The text of a created key: shown once, not stored. */
  secret: string | null;
}

export const MIN_BOOTSTRAP_KEY = 32;
const MAX_BOOTSTRAP_KEY = 512;

async function firstOrganization(tx: Transaction, { now, newId }: BootstrapOptions): Promise<string> {
  const [oldest] = await tx<{ id: string }[]>`select id from organizations order by created_at, id limit 1`;
  if (oldest !== undefined) return oldest.id;
  const id = newId('org');
  await tx`insert into organizations (id, name, created_at) values (${id}, 'default', ${now})`;
  return id;
}

async function insertKey(
  tx: Transaction,
  options: BootstrapOptions,
  key: { id: string; name: string; prefix: string; text: string },
) {
  const organizationId = await firstOrganization(tx, options);
  await tx`
    insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes, created_at)
    values (${organizationId}, ${key.id}, ${key.name}, ${key.prefix},
      decode(${hash('sha256', key.text, 'hex')}, 'hex'), string_to_array(${SCOPES.join(',')}, ','), ${options.now})`;
}

/** Stores the operator's key with every scope, or makes it valid again if it was revoked or has expired. */
async function storeGivenKey(
  tx: Transaction,
  options: BootstrapOptions,
  text: string,
): Promise<Bootstrapped> {
  const sha256 = hash('sha256', text, 'hex');
  const [known] = await tx<{ usable: boolean }[]>`
    select revoked_at is null and expires_at is null and scopes @> string_to_array(${SCOPES.join(',')}, ',') as usable
    from api_keys where secret_sha256 = decode(${sha256}, 'hex')`;
  if (known?.usable) return { created: false, secret: null };
  if (known === undefined) {
    await insertKey(tx, options, { id: options.newId('key'), name: 'bootstrap', prefix: '', text });
  } else {
    await tx`
      update api_keys set revoked_at = null, expires_at = null, scopes = string_to_array(${SCOPES.join(',')}, ',')
      where secret_sha256 = decode(${sha256}, 'hex')`;
  }
  return { created: true, secret: null };
}

/** Creates a key with the text `tw_<key id>_<secret>` if the installation has none. */
async function createFirstKey(tx: Transaction, options: BootstrapOptions): Promise<Bootstrapped> {
  const [existing] = await tx`select 1 from api_keys limit 1`;
  if (existing !== undefined) return { created: false, secret: null };
  const id = options.newId('key');
  const { prefix, text } = makeKeyText(id, options.randomSecret);
  await insertKey(tx, options, { id, name: 'first admin key', prefix, text });
  return { created: true, secret: text };
}

/**
 * Creates the first organization and its admin key unless they exist; can be repeated and run by several processes at once.
 * Only the SHA-256 of a key is stored. Throws RangeError if the given key is too short or too long.
 */
export async function bootstrapKey(sql: Sql, options: BootstrapOptions): Promise<Bootstrapped> {
  const { key } = options;
  if (key !== null && (key.length < MIN_BOOTSTRAP_KEY || key.length > MAX_BOOTSTRAP_KEY)) {
    throw new RangeError(`the bootstrap key needs ${MIN_BOOTSTRAP_KEY} to ${MAX_BOOTSTRAP_KEY} characters`);
  }
  const result = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('tidewatch.bootstrap'))`;
    return key === null ? createFirstKey(tx, options) : storeGivenKey(tx, options, key);
  });
  return result as Bootstrapped;
}
