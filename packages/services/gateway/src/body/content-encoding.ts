import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';

export type Encoding = 'identity' | 'gzip' | 'br' | 'zstd' | 'deflate';

const ENCODINGS: Record<string, Encoding> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  br: 'br',
  zstd: 'zstd',
  deflate: 'deflate',
};

/** The encoding by Content-Encoding. Throws the 415 of one that is not supported. */
export function encodingOf(headers: IncomingHttpHeaders): Encoding {
  const header = headers['content-encoding'];
  if (header === undefined) return 'identity';
  const name = header.trim().toLowerCase();
  const encoding = Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name] : undefined;
  if (encoding !== undefined) return encoding;
  throw new ProblemError('unsupported_content_encoding', {
    headers: { 'Accept-Encoding': 'gzip, br, zstd, deflate' },
  });
}
