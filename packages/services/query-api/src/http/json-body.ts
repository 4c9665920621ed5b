import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Request } from 'express';

/** The max size of a body, compressed and decompressed, bytes: far more than the largest rule. */
const MAX_BODY = 256 * 1024;
/** The max depth of a body, which no object of the API reaches. */
const DEEPEST_BODY = 32;

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Reads the JSON value of a request's body; throws problems for its faults. `types` are the accepted media types, `largest`
 * is the max size in bytes.
 */
export async function readJson(
  request: Request,
  types: readonly string[],
  largest = MAX_BODY,
): Promise<unknown> {
  if (request.headers['content-type'] !== undefined && !types.some((type) => hasType(request, type)))
    throw new ProblemError('unsupported_media_type', {
      detail: `The endpoint accepts ${types.join(' or ')}, in UTF-8.`,
    });
  const text = await readText(request, largest);
  if (isTooDeep(text))
    throw bodyProblem('too_deep', `Must not be nested more than ${DEEPEST_BODY} levels deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw bodyProblem('invalid_json', 'Must be JSON.');
  }
}

/** Reads an optional JSON body: undefined without one. */
export async function readOptionalJson(request: Request, types: readonly string[]): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding === undefined && Number(length ?? 0) === 0 ? undefined : readJson(request, types);
}

/** Whether a request has a body of this media type, in UTF-8. */
export function hasType(request: Request, type: string): boolean {
  const header = request.headers['content-type'] ?? '';
  const [given, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='));
  return given === type && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Reads the text of a request's body of at most `largest` bytes, compressed and decompressed; throws if it is empty. */
export async function readText(request: Request, largest: number): Promise<string> {
  const bytes = await readBytes(request, largest);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bodyProblem('invalid_utf8', 'Must be UTF-8.');
  }
  if (text.trim() === '') throw bodyProblem('empty_body', 'Must not be empty.');
  return text;
}

async function readBytes(request: Request, largest: number): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (Number(request.headers['content-length'] ?? 0) > largest) throw tooLarge(largest);
  if (encoding === 'identity' || encoding === '') return collect(request, largest);
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder === undefined) throw new ProblemError('unsupported_content_encoding');
  const compressed = await collect(request, largest);
  const stream = decoder();
  stream.end(compressed);
  try {
    return await collect(stream as unknown as Readable, largest);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw bodyProblem('invalid_encoding', `Is not ${encoding}.`);
  }
}

async function collect(stream: Readable, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Stopping early must not destroy the request, because the response uses the same connection.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > largest) throw tooLarge(largest);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Whether brackets outside of strings nest deeper than allowed. Checked by a scan before parsing, to protect the stack of
 * the parser.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > DEEPEST_BODY) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}

function tooLarge(largest: number): ProblemError {
  return new ProblemError('payload_too_large', { detail: `The body is larger than ${largest} bytes.` });
}

function bodyProblem(code: string, message: string): ProblemError {
  return faultProblem('body', '', code, message);
}
