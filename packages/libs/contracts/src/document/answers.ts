import type { z } from 'zod';
import { type Answer, type Content, createdHeaders, etagHeaders, linksById, NOT_MODIFIED } from './route.ts';

/** The content of a JSON body or response with this schema. */
export function json<S extends z.ZodType>(schema: S, examples?: Content['examples']): Content<S> {
  return { type: 'application/json', schema, ...(examples && { examples }) };
}

/** The content of a body that is a JSON merge patch (RFC 7396), under its own media type or that of JSON. */
export function mergePatch<S extends z.ZodType>(schema: S): readonly [Content<S>, Content<S>] {
  return [json(schema), { ...json(schema), type: 'application/merge-patch+json' }];
}

/** 200 with JSON. */
export function answered(description: string, schema: z.ZodType): Answer {
  return { status: 200, description, content: json(schema) };
}

/** The response with an object that has a version, which its ETag contains. */
export function versioned(description: string, schema: z.ZodType): Answer {
  return { ...answered(description, schema), headers: etagHeaders };
}

/** The responses of a read that supports conditional requests. */
export function readable(description: string, schema: z.ZodType): readonly Answer[] {
  return [versioned(description, schema), NOT_MODIFIED];
}

/** The response that creates an object, with links to the operations that take its id. */
export function created(description: string, schema: z.ZodType, ...operationIds: readonly string[]): Answer {
  const links = operationIds.length > 0 ? { links: linksById(...operationIds) } : {};
  return { status: 201, description, content: json(schema), headers: createdHeaders, ...links };
}
