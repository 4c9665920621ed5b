import { PROBLEMS } from '@tidewatch/contracts/problems/problem-codes';
import type { Received } from './http.ts';

/** Traces of internals, none of which a response may contain. */
const INSIDES =
  /node_modules|\bat \S+ \(|\.ts:\d+|PostgresError|\bselect\b.+\bfrom\b|ECONNREFUSED|tidewatch_\w+_login|syntax error at/i;

/**
 * The fault of a response, undefined if there is none. `canaries` are texts of another organization, which must not occur.
 */
export function faultOf(
  { status, headers, text }: Received,
  canaries: readonly string[],
): string | undefined {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`;
  if (headers['x-request-id'] === undefined) return 'has no X-Request-Id';
  for (const canary of canaries) if (text.includes(canary)) return `reveals another organization: ${canary}`;
  for (const name of ['set-cookie', 'x-powered-by'])
    if (headers[name] !== undefined) return `carries the header ${name}`;
  if (status < 400) return undefined;
  return text === '' ? undefined : problemFault(status, headers['content-type'], text);
}

function problemFault(status: number, type: string | undefined, text: string): string | undefined {
  if (!type?.startsWith('application/problem+json')) return `is no problem document but ${type}`;
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(text);
  } catch {
    return 'is no JSON';
  }
  const { code, errors, detail } = problem;
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
  if (!known) return `has the unknown code ${code}`;
  if (PROBLEMS[code as keyof typeof PROBLEMS].status !== status || problem['status'] !== status)
    return `has the code ${code} with the status ${status}`;
  if (problem['type'] !== `/problems/${code}`) return `has the type ${problem['type']}`;
  if (!Array.isArray(errors) || errors.length > 100) return 'has no list of at most 100 errors';
  if (INSIDES.test(String(detail))) return `reveals internals: ${detail}`;
  return undefined;
}
