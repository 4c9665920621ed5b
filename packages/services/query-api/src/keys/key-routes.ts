import type { KeyDefinition } from '@tidewatch/contracts/keys/key';
import type { KEY_ROUTES } from '@tidewatch/contracts/keys/key-routes';
import { faultProblem, ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Scope } from '@tidewatch/contracts/values/access';
import {
  type ExceededBound,
  exceededBounds,
  inheritBounds,
  type KeyBounds,
} from '@tidewatch/domain/access/key-bounds';
import { hasScope, keyOf } from '@tidewatch/runtime/auth/authentication';
import type { KeyRow } from '@tidewatch/store/keys/key-row';
import { listKeys, readKey, readKeyRow } from '@tidewatch/store/keys/list';
import {
  hasOtherKey,
  insertKey,
  type KeyWrite,
  lockKeys,
  revokeKey,
  rotateKey,
} from '@tidewatch/store/keys/write';
import type { Response } from 'express';
import type { Call } from '../http/call.ts';
import { pageByTime } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The routes of `/api/v1/keys`. */
export function createKeyHandlers(options: QueryApiOptions): Handlers<typeof KEY_ROUTES> {
  const { sql, clock, newId, config } = options;
  return {
    async listKeys({ query, organizationId, response }) {
      const page = await pageByTime(query, { noun: 'keys', time: 'created_at' }, (window) =>
        listKeys(sql, organizationId, { q: query.q, status: query.status, now: clock() }, window),
      );
      response.json(page);
    },

    async createKey(call) {
      const { response } = call;
      const definition = await call.body();
      const write = writeOf(call, newId('key'));
      refuseExpired(definition, write.now);
      refuseMightier(response, definition.scopes);
      const bounded = withinBounds(response, definition);
      const key = await sql.begin((tx) => insertKey(tx, write, bounded));
      response.location(pathOf('getKey', key.id)).json(key);
    },

    async getKey({ organizationId, id, response }) {
      response.json(found(await readKey(sql, organizationId, id)));
    },

    async rotateKey(call) {
      const { response, id: formerId } = call;
      const { grace_hours: graceHours } = await call.body();
      const write = writeOf(call, newId('key'));
      const until = write.now + Math.round(graceHours * HOUR_MS);
      const key = await sql.begin(async (tx) => {
        await lockKeys(tx, write.organizationId);
        const former = found(await readKeyRow(tx, write.organizationId, formerId, { lock: true }));
        if (former.kind === 'person')
          throw new ProblemError('conflict', { detail: 'The key of a person has no secret to rotate.' });
        if (former.revoked_at !== null || former.replaced_by !== null)
          throw new ProblemError('conflict', { detail: 'The key was revoked or rotated already.' });
        refuseMightier(response, former.scopes);
        refuseWider(response, former);
        return rotateKey(tx, write, former, until, keyOf(response).expiresAt);
      });
      response.location(pathOf('getKey', key.id)).json(key);
    },

    async revokeKey(call) {
      const write = writeOf(call, call.id);
      await sql.begin(async (tx) => {
        await lockKeys(tx, write.organizationId);
        const former = found(await readKeyRow(tx, write.organizationId, write.id, { lock: true }));
        if (former.revoked_at !== null) throw new ProblemError('not_found');
        const isProgram = former.kind === 'program';
        if (former.scopes.includes('operator')) {
          refuseMightier(call.response, ['operator']);
          if (isProgram && !(await hasOtherKey(tx, write, 'operator'))) throw lastOperatorKey();
        }
        if (isProgram && former.scopes.includes('admin') && !(await hasOtherKey(tx, write, 'admin')))
          throw new ProblemError('last_admin_key');
        await revokeKey(tx, write, former);
      });
    },
  };

  function writeOf(call: Pick<Call, 'change'>, id: string): KeyWrite {
    return { ...call.change(options), id, eventId: newId('evt'), maxKeys: config.limits.keysLimit };
  }
}

function refuseExpired({ expires_at: end }: KeyDefinition, now: number): void {
  if (end === null || end > now) return;
  throw faultProblem('body', '/expires_at', 'out_of_range', 'Must lie in the future.');
}

/** Refuses a new key with scopes that the creating key lacks. */
function refuseMightier(response: Response, scopes: readonly Scope[]): void {
  const key = keyOf(response);
  const missing = scopes.filter((scope) => !hasScope(key, scope));
  if (missing.length === 0) return;
  throw new ProblemError('scope_missing', {
    detail: `The key lacks the scope ${missing.join(', ')} itself.`,
  });
}

/** The new key with inherited restrictions. Throws 422 if it would be less restricted than its creator. */
function withinBounds(response: Response, definition: KeyDefinition): KeyDefinition {
  const own = boundsOf(response);
  const bounded = inheritBounds(own, definition);
  const exceeded = exceededBounds(own, bounded);
  if (exceeded.length === 0) return bounded;
  const faultOf = ({ field, message }: ExceededBound) => ({
    in: 'body' as const,
    path: `/${field}`,
    code: 'out_of_range' as const,
    message,
  });
  throw validationProblem(exceeded.map(faultOf));
}

/** Refuses the rotation of a key with more permissions, because the rotating key receives the secret. */
function refuseWider(response: Response, former: KeyRow): void {
  const exceeded = exceededBounds(boundsOf(response), former);
  if (exceeded.length === 0) return;
  const fields = exceeded.map(({ field }) => field).join(', ');
  throw new ProblemError('scope_missing', {
    detail: `The key may not rotate a less restricted key; these restrictions differ: ${fields}.`,
  });
}

function boundsOf(response: Response): KeyBounds {
  const { hosts, expiresAt, rateLimitPerMinute } = keyOf(response);
  return { hosts: hosts && [...hosts], expires_at: expiresAt, rate_limit_per_minute: rateLimitPerMinute };
}

function lastOperatorKey(): ProblemError {
  return new ProblemError('last_admin_key', {
    detail: 'No other operator key of the installation would be left. Create one first.',
  });
}
