import { z } from 'zod';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from './problem-codes.ts';

/** A fault of a request. `path` is a JSON Pointer into the body, or `/name` for a parameter or header. */
export interface Fault {
  in: 'body' | 'query' | 'path' | 'header';
  path: string;
  code: string;
  message: string;
}

export const faultSchema = z
  .object({
    in: z
      .enum(['body', 'query', 'path', 'header'])
      .meta({ description: 'The part of the request that is at fault.' }),
    path: z.string().meta({
      description:
        'JSON Pointer (RFC 6901) into the body, or `/name` of a parameter or header. Lines of NDJSON are numbered from 0 as in an array, empty ones left out. A missing member is named as if it were there.',
      examples: ['/metrics/cpu_percent'],
    }),
    code: z.string().meta({ description: 'What is wrong, for programs.', examples: ['not_finite'] }),
    message: z
      .string()
      .meta({ description: 'What is wrong, for people.', examples: ['Must be a finite number.'] }),
  })
  .meta({ id: 'Fault', description: 'One fault of a request.' });

export const problemSchema = z
  .object({
    type: z.string().meta({
      description: 'Address of a page about the problem.',
      examples: ['/problems/validation_failed'],
    }),
    title: z
      .string()
      .meta({ description: 'The kind of problem in a few words.', examples: ['Invalid request'] }),
    status: z.int().meta({ description: 'The HTTP status.', examples: [422] }),
    detail: z
      .string()
      .meta({ description: 'What happened in this case.', examples: ['The request has 1 fault.'] }),
    instance: z.string().meta({ description: 'The path that was asked for.', examples: ['/api/v1/ingest'] }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'The kind of problem, from a closed list.' }),
    request_id: z
      .string()
      .meta({ description: 'The same as X-Request-Id.', examples: ['0197f3a1-c0de-7b3c-9a51-d2e4f6a80b1c'] }),
    errors: z
      .array(faultSchema)
      .meta({ description: 'The faults, at most a hundred; empty where the request itself is sound.' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong (RFC 9457).' });

export type ProblemDocument = z.infer<typeof problemSchema>;

/** An expected failure of a request, the only error that leads to a response other than 500. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    options: {
      detail?: string;
      errors?: readonly Fault[];
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    const errors = options.errors ?? [];
    const detail = options.detail ?? (errors.length > 0 ? describe(errors) : PROBLEMS[code].description);
    super(detail, { cause: options.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** The 422 with these faults: `unsupported` if that is the only kind of fault, otherwise `validation_failed`. */
export function validationProblem(errors: readonly Fault[]): ProblemError {
  const unsupported = errors.length > 0 && errors.every((fault) => fault.code === 'unsupported');
  return new ProblemError(unsupported ? 'unsupported' : 'validation_failed', { errors });
}

/** The 422 with one fault. */
export function faultProblem(place: Fault['in'], path: string, code: string, message: string): ProblemError {
  return validationProblem([{ in: place, path, code, message }]);
}

/** The body of the response to `error`; `instance` is the path of the request. */
export function problemDocument(
  error: ProblemError,
  request: { instance: string; requestId: string },
): ProblemDocument {
  const kind = PROBLEMS[error.code];
  return {
    type: `/problems/${error.code}`,
    title: kind.title,
    status: kind.status,
    detail: error.detail,
    instance: request.instance,
    code: error.code,
    request_id: request.requestId,
    errors: [...error.errors],
  };
}

/** The JSON Pointer (RFC 6901) of these segments; "" for none, which is the whole document. */
export function jsonPointer(segments: readonly PropertyKey[]): string {
  let pointer = '';
  for (const segment of segments)
    pointer += `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return pointer;
}

function describe(errors: readonly Fault[]): string {
  const [first] = errors as readonly [Fault, ...Fault[]];
  const at = first.path === '' ? `the ${first.in}` : first.path;
  const more =
    errors.length > 1 ? ` ${errors.length - 1} more ${errors.length === 2 ? 'fault' : 'faults'}.` : '';
  return `${at}: ${first.message}${more}`;
}
