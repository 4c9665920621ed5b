import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { NotFoundError } from './not-found-error.ts';

/** The exit codes of the CLI. */
export const EXIT = {
  done: 0,
  /** Any other error: for example a failed check of the doctor, or payloads that were refused. */
  failed: 1,
  /** The arguments are wrong; no request was sent. */
  usage: 2,
  notFound: 3,
  /** The key is missing or not valid, or lacks the scope. */
  notAllowed: 4,
  /** The service does not answer or is temporarily unavailable. */
  unreachable: 5,
  /** The service refuses the request as invalid. */
  invalid: 6,
  /** The state of the object does not allow the change, or it was changed concurrently. */
  conflict: 7,
  /** A limit is reached. */
  limited: 8,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

const BY_STATUS: Readonly<Record<number, number>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  408: EXIT.unreachable,
  409: EXIT.conflict,
  412: EXIT.conflict,
  413: EXIT.invalid,
  415: EXIT.invalid,
  422: EXIT.invalid,
  429: EXIT.limited,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof UnreachableError) return EXIT.unreachable;
  if (error instanceof ApiProblem) return BY_STATUS[error.status] ?? EXIT.failed;
  return EXIT.failed;
}
