import type { z } from 'zod';
import { EXPORT_CONTENT } from '../queries/export.ts';
import type { IdPrefix } from '../values/id.ts';
import { json, readable } from './answers.ts';
import {
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifMatchHeader,
  ifNoneMatchHeader,
  NOT_MODIFIED,
} from './route.ts';

/** What routes that read with this query, and answer conditional requests, have in common; to be spread into one. */
export function reads<Q extends z.ZodObject>(query: Q, answer: string, schema: z.ZodType) {
  return {
    method: 'get',
    scope: 'read',
    query,
    headers: ifNoneMatchHeader,
    answers: readable(answer, schema),
    problems: ['validation_failed'],
  } as const;
}

/** The same of routes that read one object, whose fields a request may choose. */
export function readsById<S extends z.ZodObject>(prefix: IdPrefix, noun: string, answer: string, schema: S) {
  return readsOf(prefix, noun, fieldsOnly(schema.shape), answer, schema);
}

/** The same of routes that read something of an object with this query. */
export function readsOf<Q extends z.ZodObject>(
  prefix: IdPrefix,
  noun: string,
  query: Q,
  answer: string,
  schema: z.ZodType,
) {
  return {
    ...reads(query, answer, schema),
    parameters: idParameter(prefix, noun),
    problems: ['not_found', 'validation_failed'],
  } as const;
}

/** The same of routes that answer a page of a list, or export the whole list. */
export function pagesOrExports<Q extends z.ZodObject>(query: Q, answer: string, schema: z.ZodType) {
  const page = {
    status: 200,
    description: answer,
    content: [json(schema), ...EXPORT_CONTENT],
    headers: etagHeaders,
  };
  return {
    ...reads(query, answer, schema),
    answers: [page, NOT_MODIFIED],
    problems: ['validation_failed', 'export_running'],
  } as const;
}

/** What routes that delete an object have in common; to be spread into one. */
export function deletes(prefix: IdPrefix, noun: string, answer: string) {
  return {
    method: 'delete',
    scope: 'write',
    parameters: idParameter(prefix, noun),
    answers: [{ status: 204, description: answer }],
    problems: ['not_found'],
  } as const;
}

/** The same of objects that have a version, which the request may require. */
export function deletesVersion(prefix: IdPrefix, noun: string, answer: string) {
  return {
    ...deletes(prefix, noun, answer),
    headers: ifMatchHeader,
    problems: ['not_found', 'precondition_failed'],
  } as const;
}
