import { SESSION_SCOPES } from '@tidewatch/contracts/sessions/session';
import { LINK_MS, signInUrl } from '@tidewatch/contracts/sessions/sign-in-link';
import type { Scope } from '@tidewatch/contracts/values/access';
import { newId } from '@tidewatch/contracts/values/id';
import type { Sql } from '@tidewatch/database/connection';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { LimitReachedError } from '@tidewatch/store/limits/limit-reached';
import { insertSignInLink } from '@tidewatch/store/sessions/insert-link';
import { makeSessionToken } from '@tidewatch/store/sessions/write';
import type { StandaloneConfig } from '../config.ts';

interface StartLinkOptions {
  /** The address under which this machine reaches the server. */
  url: string;
  config: Pick<StandaloneConfig, 'auditBytesPerHour' | 'signInLinksLimit'>;
  logger: Logger;
}

interface StartKey {
  id: string;
  organizationId: string;
  name: string;
  scopes: Scope[];
}

/**
 * Makes a link that signs in once, within 15 minutes, for the first admin key of the first organization. Null where no such key is
 * valid, or the organization has reached a limit.
 */
export async function makeStartLink(
  database: { asAdmin<R>(work: (sql: Sql) => Promise<R>): Promise<R> },
  { url, config, logger }: StartLinkOptions,
): Promise<string | null> {
  const { text, sha256: secretSha256 } = makeSessionToken();
  const now = Date.now();
  try {
    return await database.asAdmin(async (sql) => {
      const key = await findStartKey(sql, now);
      if (key === null) return null;
      const { id: keyId, organizationId, name } = key;
      const scopes = SESSION_SCOPES.filter((scope) => key.scopes.includes(scope));
      const link = {
        id: newId('lnk'),
        organizationId,
        keyId,
        secretSha256,
        kind: 'person' as const,
        name,
        scopes,
        now,
        expiresAt: now + LINK_MS,
      };
      const audit = {
        organizationId,
        actor: { key_id: keyId, name },
        ip: null,
        now,
        newAuditId: () => newId('aud'),
        maxBytesPerHour: config.auditBytesPerHour,
      };
      await sql.begin((tx) => insertSignInLink(tx, link, audit, config.signInLinksLimit));
      return signInUrl(url, text);
    });
  } catch (error) {
    if (!(error instanceof LimitReachedError)) throw error;
    logger.warn({ err: error }, 'no sign-in link was made');
    return null;
  }
}

/** The first admin key, before others one that is an operator's, too. */
async function findStartKey(sql: Sql, now: number): Promise<StartKey | null> {
  const [key] = await sql<StartKey[]>`
    select k.id, k.organization_id as "organizationId", k.name, k.scopes from api_keys k
    where k.organization_id = (select id from organizations order by created_at, id limit 1)
      and k.kind = 'program' and 'admin' = any(k.scopes) and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${now}::timestamptz)
    order by 'operator' = any(k.scopes) desc, k.created_at, k.id limit 1`;
  return key ?? null;
}
