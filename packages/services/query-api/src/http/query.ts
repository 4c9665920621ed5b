import { type Fault, jsonPointer, validationProblem } from '@tidewatch/contracts/problems/problem';
import { unknownParameters } from '@tidewatch/contracts/problems/query-names';
import { check, MAX_FAULTS } from '@tidewatch/contracts/problems/validation';
import type { Request } from 'express';
import { z } from 'zod';

/** The query parsed by its schema. Throws 422 with all faults. */
export function queryOf<T extends z.ZodType>(request: Request, schema: T): z.output<T> {
  const faults = [...misspelled(request.originalUrl), ...unknown(request.query, schema)];
  const checked = check(schema, request.query, 'query');
  if ('value' in checked && faults.length === 0) return checked.value;
  const all = 'errors' in checked ? [...faults, ...checked.errors] : faults;
  throw validationProblem(all.slice(0, MAX_FAULTS));
}

/** Parameters whose percent-encoding is not UTF-8, which the parser would replace by U+FFFD. */
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
