import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import type { BodyForm } from './decoding/decoded-body.ts';

export type Encoding = 'identity' | 'gzip' | 'br' | 'zstd' | 'deflate';

const FORMS: Record<string, BodyForm> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

const ENCODINGS: Record<string, Encoding> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  br: 'br',
  zstd: 'zstd',
  deflate: 'deflate',
};

/** The form by Content-Type; JSON is UTF-8, so another charset is refused. Throws the 415. */
export function formOf(headers: IncomingHttpHeaders): BodyForm {
  const header = headers['content-type'];
  if (header === 'application/json') return 'json';
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const form = Object.hasOwn(FORMS, type.trim()) ? FORMS[type.trim()] : undefined;
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (form !== undefined && utf8) return form;
  throw new ProblemError('unsupported_media_type', {
    detail: 'Send application/json or application/x-ndjson, in UTF-8.',
    headers: { Accept: 'application/json, application/x-ndjson' },
  });
}

/** Throws the 415 of an encoding that is not taken. */
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

/** Whether `Prefer: return=representation` (RFC 7240) asks for a receipt; the first return counts. */
export function prefersReceipt(headers: IncomingHttpHeaders): boolean {
  const header = headers.prefer;
  if (header === undefined) return false;
  const text = Array.isArray(header) ? header.join(',') : header;
  return /(?:^|[,;])\s*return\s*=\s*"?([\w-]+)/i.exec(text)?.[1]?.toLowerCase() === 'representation';
}

/** Whether `Prefer: handling=lenient` (RFC 7240) asks to accept what is valid of a batch; the first handling counts. */
export function prefersLenient(headers: IncomingHttpHeaders): boolean {
  const header = headers.prefer;
  if (header === undefined) return false;
  const text = Array.isArray(header) ? header.join(',') : header;
  return /(?:^|[,;])\s*handling\s*=\s*"?(\w+)/i.exec(text)?.[1]?.toLowerCase() === 'lenient';
}

/** Whether `Prefer: warnings` asks to name what is ignored of the payloads; `warnings=true` says the same. */
export function prefersWarnings(headers: IncomingHttpHeaders): boolean {
  const header = headers.prefer;
  if (header === undefined) return false;
  const text = Array.isArray(header) ? header.join(',') : header;
  return /(?:^|,)\s*warnings\s*(?:=\s*(?:""|true|"true")\s*)?(?:[,;]|$)/i.test(text);
}
