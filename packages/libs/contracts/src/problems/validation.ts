import { z } from 'zod';
import { nearMiss } from './near-miss.ts';
import { isPlaceholderKey, PLACEHOLDER_MESSAGE } from './placeholder.ts';
import type { Fault } from './problem.ts';
import { jsonPointer } from './problem.ts';

/** The max number of faults in a response. */
export const MAX_FAULTS = 100;

type Issue = z.core.$ZodIssue;

/** Either the checked value or every fault of it. */
export type Checked<T> = { value: T } | { errors: Fault[] };

/** Parses `input` by `schema`; faults refer to the part `where` of the request. */
export function check<T extends z.ZodType>(
  schema: T,
  input: unknown,
  where: Fault['in'],
): Checked<z.output<T>> {
  const result = schema.safeParse(input);
  return result.success ? { value: result.data } : { errors: toFaults(result.error, where, input, schema) };
}

/**
 * Converts a zod error to at most `MAX_FAULTS` faults, one for each path: an unknown key has its own path, a missing field
 * the path that it would have. `input` shows whether a field is missing or wrong, `schema` which field an unknown one may
 * be a misspelling of. In the query, a path is only the name of the parameter.
 */
export function toFaults(
  error: z.ZodError,
  where: Fault['in'],
  input?: unknown,
  schema?: z.ZodType,
): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const add = (segments: readonly PropertyKey[], code: string, message: string) => {
    const path = jsonPointer(where === 'query' ? segments.slice(0, 1) : segments);
    if (faults.length >= MAX_FAULTS || seen.has(path)) return;
    seen.add(path);
    faults.push({ in: where, path, code, message });
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      const known = schema === undefined ? [] : fieldsAt(schema, issue.path);
      for (const key of issue.keys)
        add([...issue.path, key], 'unknown_field', `Is not a known field.${question(key, known)}`);
    } else if (isMissing(issue, input)) {
      add(issue.path, 'required', 'Is required.');
    } else {
      const value = valueAt(input, issue.path);
      const isOfType = issue.code !== 'invalid_type' && issue.code !== 'invalid_value';
      if (where === 'query' && !isOfType && Array.isArray(value))
        add(issue.path, 'repeated', 'Must be given once.');
      else add(issue.path, ...describeGiven(issue, value));
    }
  }
  return faults;
}

/** The code and message of an issue; for a placeholder of an example, the message about placeholders. */
function describeGiven(issue: Issue, value: unknown): [code: string, message: string] {
  const [code, message] = describe(issue, value);
  const isLeft = typeof value === 'string' && code !== 'too_long' && isPlaceholderKey(value);
  return [code, isLeft ? PLACEHOLDER_MESSAGE : message];
}

/** The code and the message of an issue. */
function describe(issue: Issue, value: unknown): [code: string, message: string] {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return ['not_an_integer', 'Must be an integer.'];
      if (typeof value === 'number' && !Number.isFinite(value))
        return ['not_finite', 'Must be a finite number.'];
      return ['invalid_type', `Must be ${NOUNS[issue.expected] ?? issue.expected}.`];
    case 'invalid_value':
      return [
        'invalid_value',
        `Must be ${listed(issue.values.map((each) => JSON.stringify(each)))}.${question(
          value,
          issue.values.filter((each) => typeof each === 'string'),
        )}`,
      ];
    case 'too_small':
      if (issue.origin === 'array')
        return [
          'too_few',
          issue.minimum === 1 ? 'Must not be empty.' : `Must have at least ${issue.minimum} entries.`,
        ];
      if (issue.origin === 'string') return ['too_short', `Must have at least ${issue.minimum} characters.`];
      return [
        'too_small',
        `Must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}.`,
      ];
    case 'too_big':
      if (issue.origin === 'array') return ['too_many', `Must have at most ${issue.maximum} entries.`];
      if (issue.origin === 'string') return ['too_long', `Must have at most ${issue.maximum} characters.`];
      return [
        'too_large',
        `Must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}.`,
      ];
    case 'invalid_format':
      return ['invalid_format', 'Has the wrong form.'];
    case 'custom':
      return [typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value', issue.message];
    default:
      return ['invalid_value', 'Is not one of the forms that are taken.'];
  }
}

const NOUNS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

function isMissing(issue: Issue, input: unknown): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value' && issue.code !== 'invalid_union')
    return false;
  if (issue.path.length === 0) return false;
  return input === undefined
    ? issue.message.endsWith('received undefined')
    : valueAt(input, issue.path) === undefined;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return value;
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? (values[0] as string) : `one of ${values.join(', ')}`;
}

/** A question whether a similar candidate was meant; empty if there is none. */
function question(given: unknown, candidates: readonly string[]): string {
  const meant = typeof given === 'string' ? nearMiss(given, candidates) : undefined;
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** The fields of the object that a schema has at a path; empty if that is not an object with known fields. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: z.ZodType | undefined = bare(schema);
  for (const segment of path) {
    if (current instanceof z.ZodObject) current = bare(current.shape[String(segment)] as z.ZodType);
    else if (current instanceof z.ZodArray) current = bare(current.element as z.ZodType);
    else return [];
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

/** The schema without wrappers for optional values and defaults. */
function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  let current = schema;
  while (
    current instanceof z.ZodOptional ||
    current instanceof z.ZodNullable ||
    current instanceof z.ZodDefault
  )
    current = current.unwrap() as z.ZodType;
  return current;
}
