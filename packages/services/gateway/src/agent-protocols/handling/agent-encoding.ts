import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { type Encoding, encodingOf } from '../../body/content-encoding.ts';

/** How bodies of other agents are compressed. */
export type AgentEncoding = Encoding | 'snappy';

/** The encoding by Content-Encoding, of which `further` are those that the protocol has beside the usual ones. Throws 415 for any other. */
export function agentEncodingOf(headers: IncomingHttpHeaders, further: readonly 'snappy'[]): AgentEncoding {
  const name = headers['content-encoding']?.trim().toLowerCase();
  const own = further.find((each) => each === name);
  if (own !== undefined) return own;
  if (name === 'zlib') return 'deflate';
  if (name?.includes(','))
    throw new ProblemError('unsupported_content_encoding', { detail: 'A body has one encoding.' });
  return encodingOf(headers);
}

/**
 * The encoding of a remote write; snappy where none is named. Throws 415 for those that the protocol does not have, which gzip and
 * deflate are, as it demands.
 */
export function remoteWriteEncodingOf(headers: IncomingHttpHeaders): 'snappy' | 'zstd' | 'identity' {
  const name = (headers['content-encoding'] ?? 'snappy').trim().toLowerCase();
  if (name === 'snappy' || name === 'zstd' || name === 'identity') return name;
  throw new ProblemError('unsupported_content_encoding', {
    detail: 'Send snappy (of the block format) or zstd.',
    headers: { 'Accept-Encoding': 'snappy, zstd' },
  });
}
