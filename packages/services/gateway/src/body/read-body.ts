import type { IncomingMessage } from 'node:http';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { RequestBytes } from './request-bytes.ts';

/** The client disconnected, so no response is sent. */
export class RequestAbortedError extends Error {
  override name = 'RequestAbortedError';
}

function tooLarge(max: number): ProblemError {
  return new ProblemError('payload_too_large', {
    detail: `The body is limited to ${max} bytes on the wire.`,
  });
}

/** The Content-Length of the request; undefined for a chunked body. Throws the 413 of one above `max` bytes. */
export function declaredLength(request: IncomingMessage, max: number): number | undefined {
  const header = request.headers['content-length'];
  if (header === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : undefined;
  const length = Number(header);
  if (length > max) throw tooLarge(max);
  return length;
}

/**
 * Below this size, a body reserves memory for the bytes that have arrived; then its whole length is reserved before more is
 * read.
 */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads the body of a request and reserves its memory in `bytes`: up to 64 KiB as it arrives, then its whole length, so
 * that slow bodies reserve little. Pauses the request while `bytes` has no room. Rejects with the 413 once the body exceeds
 * limit of `max` bytes.
 */
export function readBody(
  request: IncomingMessage,
  bytes: RequestBytes,
  declared: number | undefined,
  max: number = BOUNDS.wireBytes,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The chunks that were read; null once the promise is settled.
    let chunks: Buffer[] | null = [];
    let size = 0;
    let waiting: Promise<void> | null = null;
    let gone: AbortController | null = null;
    const refuse = (error: Error) => {
      chunks = null;
      reject(error);
    };
    const abort = () => {
      if (chunks === null) return;
      const error = new RequestAbortedError('the client disconnected before its body was complete');
      refuse(error);
      gone?.abort(error);
    };
    const hold = (wanted: number) => {
      const more = wanted - bytes.held;
      if (more <= 0 || bytes.tryAdd(more)) return;
      request.pause();
      gone ??= new AbortController();
      waiting = bytes.add(more, gone.signal).then(() => {
        waiting = null;
        request.resume();
      }, refuse);
    };
    const finish = () => {
      if (chunks === null) return;
      bytes.shrinkTo(size);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
      chunks = null;
    };
    request.on('data', (chunk: Buffer) => {
      if (chunks === null) return;
      size += chunk.length;
      if (size > max) {
        request.pause();
        refuse(tooLarge(max));
      } else {
        chunks.push(chunk);
        hold(size <= FIRST_BYTES ? size : (declared ?? Math.min(max, Math.max(BOUNDS.wireBytes, size * 2))));
      }
    });
    request.on('end', () => {
      if (waiting === null) finish();
      else void waiting.then(finish);
    });
    request.on('error', abort);
    request.on('close', abort);
  });
}
