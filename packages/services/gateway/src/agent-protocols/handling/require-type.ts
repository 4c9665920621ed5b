import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';

/**
 * The media type of the request in lower case, without parameters. Throws 415 for one that is not among `types`; the empty text
 * there stands for a request that names none.
 */
export function requireType(headers: IncomingHttpHeaders, types: readonly string[]): string {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1);
  const trimmed = type.trim();
  if (types.includes(trimmed)) return trimmed;
  const named = types.filter((each) => each !== '');
  throw new ProblemError('unsupported_media_type', {
    detail: `Send ${named.join(' or ')}.`,
    headers: { Accept: named.join(', ') },
  });
}
