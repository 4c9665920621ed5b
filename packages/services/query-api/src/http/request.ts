import type { Actor } from '@tidewatch/contracts/values/actor';
import { type FieldSelection, fieldsQuery } from '@tidewatch/contracts/values/fields';
import { type IdPrefix, isId } from '@tidewatch/contracts/values/id';
import {
  type Fault,
  jsonPointer,
  ProblemError,
  validationProblem,
} from '@tidewatch/contracts/values/problem';
import { unknownParameters } from '@tidewatch/contracts/values/query-names';
import { check, MAX_FAULTS } from '@tidewatch/contracts/values/validation';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { AuditTrail } from '@tidewatch/store/audit/record';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { QueryApiConfig } from '../config.ts';

/** The organization of the key behind the request. */
export function organizationOf(response: Response): string {
  return keyOf(response).organizationId;
}

/** The key of the request, for the audit log. */
export function actorOf(response: Response): Actor {
  const { id, name } = keyOf(response);
  return { key_id: id, name };
}

/** The client and its address, as the audit log records them with a change at `now` (ms). */
export function auditTrailOf(
  request: Request,
  response: Response,
  {
    now,
    newId,
    config,
  }: { now: number; newId: (prefix: IdPrefix) => string; config: Pick<QueryApiConfig, 'limits'> },
): AuditTrail {
  return {
    organizationId: organizationOf(response),
    actor: actorOf(response),
    ip: request.ip ?? null,
    now,
    newAuditId: () => newId('aud'),
    maxBytesPerHour: config.limits.auditBytesPerHour,
  };
}

/** The id in the path; a malformed one is 404 like an unknown one. */
export function idOf(request: Request, prefix: IdPrefix): string {
  const id = request.params['id'];
  if (typeof id !== 'string' || !isId(prefix, id)) throw new ProblemError('not_found');
  return id;
}

/** The requested fields of a single object of this shape; undefined is all. */
export function fieldsOf(request: Request, shape: z.ZodRawShape): FieldSelection | undefined {
  return queryOf(request, z.object({ fields: fieldsQuery(shape) })).fields;
}

/** The query by its schema; all faults at once are 422. */
export function queryOf<T extends z.ZodType>(request: Request, schema: T): z.output<T> {
  const faults = [...misspelled(request.originalUrl), ...unknown(request.query, schema)];
  const checked = check(schema, request.query, 'query');
  if ('value' in checked && faults.length === 0) return checked.value;
  const all = 'errors' in checked ? [...faults, ...checked.errors] : faults;
  throw validationProblem(all.slice(0, MAX_FAULTS));
}

/** Parameters whose percent-encoding is not UTF-8; the parser replaces them by U+FFFD. */
function misspelled(url: string): Fault[] {
  const start = url.indexOf('?');
  const parts = start === -1 ? [] : url.slice(start + 1).split('&');
  return parts.filter(isMisspelled).map((part) => {
    const path = jsonPointer([part.split('=', 1)[0] as string]);
    return { in: 'query', path, code: 'invalid_encoding', message: 'Must be percent-encoded UTF-8.' };
  });
}

function isMisspelled(part: string): boolean {
  try {
    decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}

function unknown(query: Request['query'], schema: z.ZodType): Fault[] {
  return schema instanceof z.ZodObject
    ? unknownParameters(Object.keys(query), Object.keys(schema.shape))
    : [];
}

/** The value, or a 404 where it is null. */
export function found<T>(value: T | null): T {
  if (value === null) throw new ProblemError('not_found');
  return value;
}
