import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { INSTALLATION, inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { savePersonKey } from '@tidewatch/store/keys/person-key';
import { readFirstOrganization, readOrganization } from '@tidewatch/store/organizations/read';
import { confirmSession } from '@tidewatch/store/sessions/write';
import type { Request, Response } from 'express';
import { changeBy } from '../http/change.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { grantedScopes } from '../sessions/granted-scopes.ts';
import { endFormerSession, openSession } from '../sessions/open-session.ts';
import { createSignInLimit, PERSON_SESSION_MS } from '../sessions/sign-in-limit.ts';
import { type Access, accessOf } from './group-mapping.ts';
import type { PendingSignOn } from './pending-sign-on.ts';
import { type Person, requireNewLogin } from './person.ts';
import type { SignOn } from './sign-on.ts';

const MAX_NAMED_GROUPS = 10;

export interface Completion {
  pending: PendingSignOn;
  /** The query with which the provider sent the browser back. */
  query: URLSearchParams;
  redirectUri: string;
}

/**
 * Returns the function that completes a sign-in or confirmation: it exchanges the code for the user, and opens or confirms the session.
 * It throws where the provider or the mapping of groups refuses.
 */
export function createSignOnCompletion(options: QueryApiOptions, { config: signOn, provider }: SignOn) {
  const { sql, clock, newId, config, logger } = options;
  const limitSignIns = createSignInLimit(clock);

  return async (request: Request, response: Response, completion: Completion): Promise<void> => {
    const { pending, query, redirectUri } = completion;
    const person = await provider.person(query, { ...pending, redirectUri });
    if (pending.purpose === 'confirm') requireNewLogin(person, pending.startedAt);
    const key = await keyOfPerson(person, request);
    limitSignIns(key.id);
    if (pending.purpose === 'confirm') return confirm(key, pending, request);
    const now = clock();
    await openSession(options, request, response, {
      key,
      kind: 'person',
      name: null,
      scopes: grantedScopes({ key, kind: 'person', readOnly: pending.readOnly }),
      // The provider may have let a user in by a session of its own, which proves nothing about now.
      confirmedUntil:
        person.authenticatedAt === null ? now : confirmedUntil(Math.min(person.authenticatedAt, now)),
      expiresAt: now + PERSON_SESSION_MS,
    });
    if (pending.session !== null) await endFormerSession(options, request, pending.session);
  };

  async function keyOfPerson(person: Person, request: Request): Promise<KeyRecord> {
    const { organizationId, scopes } = await grantedAccess(person);
    const write = {
      organizationId,
      id: newId('key'),
      eventId: newId('evt'),
      now: clock(),
      maxKeys: config.limits.keysLimit,
      audit: {
        organizationId,
        now: clock(),
        ip: request.ip ?? null,
        newAuditId: () => newId('aud'),
        maxBytesPerHour: config.limits.auditBytesPerHour,
      },
    };
    const { issuer, subject, email } = person;
    const row = await inOrganization(organizationId, () =>
      sql.begin((tx) => savePersonKey(tx, write, { issuer, subject, email, scopes })),
    );
    if (row.revoked_at !== null)
      throw new ProblemError('key_revoked', {
        detail: `An administrator has revoked the access of ${email}.`,
      });
    const { id, name, rate_limit_per_minute: rateLimitPerMinute, hosts, expires_at: expiresAt } = row;
    return { id, organizationId, name, scopes, rateLimitPerMinute, hosts, expiresAt, revokedAt: null };
  }

  /** What the groups of a user grant. Nobody has bound an organization yet: the file of groups chooses it. */
  function grantedAccess({ email, groups }: Person): Promise<Access> {
    return inOrganization(INSTALLATION, async () => {
      const first = await readFirstOrganization(sql);
      const access = first && accessOf(signOn.mapping, groups, first.id);
      if (access === null) throw withoutGroup(email, groups, signOn.groupsClaim);
      if ((await readOrganization(sql, access.organizationId)) !== null) return access;
      logger.error(
        { organizationId: access.organizationId },
        'the file of groups names an organization that does not exist; its users cannot sign in',
      );
      throw new ProblemError('sign_on_not_permitted', {
        detail:
          'The organization of your groups does not exist. An operator has to correct the file of groups.',
      });
    });
  }

  async function confirm(key: KeyRecord, { session }: PendingSignOn, request: Request): Promise<void> {
    const { organizationId } = key;
    if (session === null || session.key.id !== key.id || session.organizationId !== organizationId)
      throw new ProblemError('sign_on_not_permitted', {
        detail: `You signed in as ${key.name}, and the session is of ${session?.key.name}. Confirm it as that user, or sign in again.`,
      });
    const { audit, now } = changeBy({ ...key, session }, request, options);
    const target = { organizationId, id: session.id, until: confirmedUntil(now) };
    const confirmed = await inOrganization(organizationId, () =>
      sql.begin((tx) => confirmSession(tx, target, audit)),
    );
    if (confirmed === null) throw new ProblemError('session_ended');
  }

  function confirmedUntil(authenticatedAt: number): number {
    return authenticatedAt + config.sessionConfirmMinutes * MINUTE_MS;
  }
}

function withoutGroup(email: string, groups: readonly string[], claim: string): ProblemError {
  const named =
    groups.slice(0, MAX_NAMED_GROUPS).join(', ') + (groups.length > MAX_NAMED_GROUPS ? ', …' : '');
  const sent =
    groups.length === 0
      ? `The identity provider sent no groups in the claim ${claim}.`
      : `The identity provider sent: ${named}.`;
  return new ProblemError('sign_on_not_permitted', {
    detail: `No group of ${email} has access to Tidewatch. ${sent} An administrator can add you to a group that has.`,
  });
}
