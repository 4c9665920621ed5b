import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { NotFoundError } from './not-found-error.ts';

/** The exit codes of the CLI. */
export const EXIT = {
  done: 0,
  /** For any other error, such as a failed check of the doctor or refused payloads. */
  failed: 1,
  /** For wrong arguments; no request was sent. */
  usage: 2,
  notFound: 3,
  /** For a key that is missing, not valid, or lacks the scope. */
  notAllowed: 4,
  /** For a service that does not answer or is temporarily unavailable. */
  unreachable: 5,
  /** For a request that the service refuses as invalid. */
  invalid: 6,
  /** For a change that the state of the object does not allow, or that conflicts with a concurrent change. */
  conflict: 7,
  /** For a limit that is reached. */
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
