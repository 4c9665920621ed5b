import { type IdPrefix, isId } from '@tidewatch/contracts/id';
import { ProblemError, validationProblem } from '@tidewatch/contracts/problem';
import { check } from '@tidewatch/contracts/validation';
import { keyOf } from '@tidewatch/runtime/authentication';
import type { Request, Response } from 'express';
import type { z } from 'zod';

/** The organization of the key behind the request. */
export function organizationOf(response: Response): string {
  return keyOf(response).organizationId;
}

/** The id in the path; one that is not even spelled right is 404 like one that is nobody's. */
export function idOf(request: Request, prefix: IdPrefix): string {
  const id = request.params['id'];
  if (typeof id !== 'string' || !isId(prefix, id)) throw new ProblemError('not_found');
  return id;
}

/** The query by its schema; all faults at once are 422. */
export function queryOf<T extends z.ZodType>(request: Request, schema: T): z.output<T> {
  const checked = check(schema, request.query, 'query');
  if ('errors' in checked) throw validationProblem(checked.errors);
  return checked.value;
}

/** What was found, or 404. */
export function found<T>(value: T | null): T {
  if (value === null) throw new ProblemError('not_found');
  return value;
}
