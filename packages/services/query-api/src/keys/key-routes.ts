import {
  type KeyDefinition,
  keyInputSchema,
  keyRotationSchema,
  keysQuerySchema,
} from '@tidewatch/contracts/keys/key';
import type { Scope } from '@tidewatch/contracts/values/access';
import { HOUR_MS } from '@tidewatch/contracts/values/duration';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
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
import type { Request, Response } from 'express';
import { readJson, readOptionalJson } from '../http/json-body.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The routes of `/api/v1/keys`. */
export function createKeyHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  return {
    async listKeys(request, response) {
      const page = queryOf(request, keysQuerySchema);
      const context = { list: 'keys', filters: {}, shape: ['number', 'string'] as const };
      const window = readWindow<readonly [number, string]>(page, context);
      const part = await listKeys(sql, organizationOf(response), window);
      const { rows, pagination } = paginate(part, window, context, (key) => [
        Date.parse(key.created_at),
        key.id,
      ]);
      response.json({ keys: rows, pagination });
    },

    async createKey(request, response) {
      const body = await readJson(request, ['application/json']);
      const write = writeOf(request, response, newId('key'));
      const definition = definitionOf(body, write.now);
      refuseMightier(response, definition.scopes);
      const bounded = withinBounds(response, definition);
      const key = await sql.begin((tx) => insertKey(tx, write, bounded));
      response.location(pathOf('getKey', key.id)).json(key);
    },

    async getKey(request, response) {
      response.json(found(await readKey(sql, organizationOf(response), idOf(request, 'key'))));
    },

    async rotateKey(request, response) {
      const formerId = idOf(request, 'key');
      const body = (await readOptionalJson(request, ['application/json'])) ?? {};
      const checked = check(keyRotationSchema, body, 'body');
      if ('errors' in checked) throw validationProblem(checked.errors);
      const write = writeOf(request, response, newId('key'));
      const until = write.now + Math.round(checked.value.grace_hours * HOUR_MS);
      const key = await sql.begin(async (tx) => {
        await lockKeys(tx, write.organizationId);
        const former = found(await readKeyRow(tx, write.organizationId, formerId, { lock: true }));
        if (former.revoked_at !== null || former.replaced_by !== null)
          throw new ProblemError('conflict', { detail: 'The key was revoked or rotated already.' });
        refuseMightier(response, former.scopes);
        refuseWider(response, former);
        return rotateKey(tx, write, former, until, keyOf(response).expiresAt);
      });
      response.location(pathOf('getKey', key.id)).json(key);
    },

    async revokeKey(request, response) {
      const write = writeOf(request, response, idOf(request, 'key'));
      await sql.begin(async (tx) => {
        await lockKeys(tx, write.organizationId);
        const former = found(await readKeyRow(tx, write.organizationId, write.id, { lock: true }));
        if (former.revoked_at !== null) throw new ProblemError('not_found');
        if (former.scopes.includes('operator')) {
          refuseMightier(response, ['operator']);
          if (!(await hasOtherKey(tx, write, 'operator'))) throw lastOperatorKey();
        }
        if (former.scopes.includes('admin') && !(await hasOtherKey(tx, write, 'admin')))
          throw new ProblemError('last_admin_key');
        await revokeKey(tx, write, former);
      });
      response.end();
    },
  };

  function writeOf(request: Request, response: Response, id: string): KeyWrite {
    const now = clock();
    const audit = auditTrailOf(request, response, { now, newId, config });
    const actor = actorOf(response);
    const maxKeys = config.limits.keysLimit;
    return {
      organizationId: organizationOf(response),
      id,
      eventId: newId('evt'),
      now,
      actor,
      audit,
      maxKeys,
    };
  }
}

function definitionOf(body: unknown, now: number): KeyDefinition {
  const checked = check(keyInputSchema, body, 'body');
  if ('errors' in checked) throw validationProblem(checked.errors);
  const { expires_at: end } = checked.value;
  if (end === null || end > now) return checked.value;
  const message = 'Must lie in the future.';
  throw validationProblem([{ in: 'body', path: '/expires_at', code: 'out_of_range', message }]);
}

/** A key may not grant scopes that it lacks itself. */
function refuseMightier(response: Response, scopes: readonly Scope[]): void {
  const key = keyOf(response);
  const missing = scopes.filter((scope) => !hasScope(key, scope));
  if (missing.length === 0) return;
  throw new ProblemError('scope_missing', {
    detail: `The key lacks the scope ${missing.join(', ')} itself.`,
  });
}

/** The key with its inherited restrictions. Throws 422 where it would be less restricted than its creator. */
function withinBounds(response: Response, definition: KeyDefinition): KeyDefinition {
  const own = boundsOf(response);
  const bounded = inheritBounds(own, definition);
  const exceeded = exceededBounds(own, bounded);
  if (exceeded.length === 0) return bounded;
  const faultOf = ({ field, message }: ExceededBound) => ({
    ...{ in: 'body' as const, path: `/${field}`, code: 'out_of_range' as const, message },
  });
  throw validationProblem(exceeded.map(faultOf));
}

/** The rotating key receives the secret of the rotated one, so it must have all of its permissions. */
function refuseWider(response: Response, former: KeyRow): void {
  const exceeded = exceededBounds(boundsOf(response), former);
  if (exceeded.length === 0) return;
  const fields = exceeded.map(({ field }) => field).join(', ');
  throw new ProblemError('scope_missing', {
    detail: `The key may not rotate one that is bounded less than itself: ${fields}.`,
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
