import {
  type KeyDefinition,
  keyInputSchema,
  keyRotationSchema,
  keysQuerySchema,
} from '@tidewatch/contracts/keys/key';
import type { Scope } from '@tidewatch/contracts/values/access';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { hasScope, keyOf } from '@tidewatch/runtime/authentication';
import { listKeys, readKey, readKeyRow } from '@tidewatch/store/keys/list';
import {
  hasOtherAdmin,
  insertKey,
  type KeyWrite,
  lockKeys,
  revokeKey,
  rotateKey,
} from '@tidewatch/store/keys/write';
import type { Request, Response, Router } from 'express';
import { readJson, readOptionalJson } from '../http/json-body.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import { actorOf, auditTrailOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../service.ts';

const KEYS = '/api/v1/keys';
const HOUR_MS = 3_600_000;

/** `/api/v1/keys` and what lies below it. */
export function addKeyRoutes(
  router: Router,
  { sql, authenticate, clock, newId, config }: QueryApiOptions,
): void {
  router.get(KEYS, authenticate('admin'), async (request: Request, response: Response) => {
    const page = queryOf(request, keysQuerySchema);
    const context = { list: 'keys', filters: {}, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>(page, context);
    const part = await listKeys(sql, organizationOf(response), window);
    const { rows, pagination } = paginate(part, window, context, (key) => [
      Date.parse(key.created_at),
      key.id,
    ]);
    response.json({ keys: rows, pagination });
  });

  router.post(KEYS, authenticate('admin'), async (request: Request, response: Response) => {
    const body = await readJson(request, ['application/json']);
    const write = writeOf(request, response, newId('key'));
    const definition = definitionOf(body, write.now);
    refuseMightier(response, definition.scopes);
    const key = await sql.begin((tx) => insertKey(tx, write, definition));
    response.status(201).location(`${KEYS}/${key.id}`).json(key);
  });

  router.get(`${KEYS}/:id`, authenticate('admin'), async (request: Request, response: Response) => {
    response.json(found(await readKey(sql, organizationOf(response), idOf(request, 'key'))));
  });

  router.post(`${KEYS}/:id/rotate`, authenticate('admin'), async (request: Request, response: Response) => {
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
      return rotateKey(tx, write, former, until);
    });
    response.status(201).location(`${KEYS}/${key.id}`).json(key);
  });

  router.delete(`${KEYS}/:id`, authenticate('admin'), async (request: Request, response: Response) => {
    const write = writeOf(request, response, idOf(request, 'key'));
    await sql.begin(async (tx) => {
      await lockKeys(tx, write.organizationId);
      const former = found(await readKeyRow(tx, write.organizationId, write.id, { lock: true }));
      if (former.revoked_at !== null) throw new ProblemError('not_found');
      if (former.scopes.includes('admin') && !(await hasOtherAdmin(tx, write)))
        throw new ProblemError('last_admin_key');
      await revokeKey(tx, write, former);
    });
    response.status(204).end();
  });

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

/** Nobody gives away what they may not do themselves. */
function refuseMightier(response: Response, scopes: readonly Scope[]): void {
  const key = keyOf(response);
  const missing = scopes.filter((scope) => !hasScope(key, scope));
  if (missing.length === 0) return;
  throw new ProblemError('scope_missing', {
    detail: `The key lacks the scope ${missing.join(', ')} itself.`,
  });
}
