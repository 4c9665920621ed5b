import { Metadata, status } from '@grpc/grpc-js';
import type { ProblemError } from '@tidewatch/contracts/problems/problem';
import { problemLine } from '../../handling/problem-text.ts';
import { refusalHeaders, refusalOf } from '../../handling/refusal-status.ts';
import { retryStatus } from '../otlp-answers.ts';

/** How a call ends that failed, as `@grpc/grpc-js` takes it. */
export interface CallStatus {
  code: status;
  details: string;
  metadata: Metadata;
}

/** Codes by the status of HTTP that says the same. Without RetryInfo, senders do not repeat a message that is too large. */
const CODES: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  413: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};
/** Longer texts might not fit into the headers of an answer. */
const MAX_DETAILS = 1_000;

/** The status of a refused call and the problem behind it; null for an error that is none of the sender's. */
export function callStatusOf(error: unknown): { problem: ProblemError; answer: CallStatus } | null {
  const refusal = refusalOf(error, true);
  if (refusal === null) return null;
  const { problem } = refusal;
  const code = CODES[refusal.status] ?? status.INVALID_ARGUMENT;
  const details = problemLine(problem).slice(0, MAX_DETAILS);
  const metadata = new Metadata();
  if (code === status.UNAVAILABLE) {
    const seconds = Number(refusalHeaders(problem, refusal.status)['Retry-After']);
    metadata.set('grpc-status-details-bin', retryStatus(code, details, seconds));
  }
  return { problem, answer: { code, details, metadata } };
}

/** The status of a call that failed for a reason that is logged and not shown. */
export function unexpectedStatus(): CallStatus {
  return { code: status.INTERNAL, details: 'The service failed.', metadata: new Metadata() };
}
