import type { IncomingMessage } from 'node:http';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/values/problem';

/** The client went away before its body was complete; nobody is there to be answered. */
export class RequestAbortedError extends Error {
  override name = 'RequestAbortedError';
}

function tooLarge(): ProblemError {
  return new ProblemError('payload_too_large', {
    detail: `The body is limited to ${BOUNDS.wireBytes} bytes on the wire.`,
  });
}

/** The length that the request declares; undefined for a chunked one. Throws the 413 of one beyond the limit. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length'];
  if (header === undefined) return request.headers['transfer-encoding'] === undefined ? 0 : undefined;
  const length = Number(header);
  if (length > BOUNDS.wireBytes) throw tooLarge();
  return length;
}

/** The body as it came over the wire. Rejects with the 413 as soon as the limit is passed. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // null once that is settled.
    let chunks: Buffer[] | null = [];
    let size = 0;
    const refuse = (error: Error) => {
      chunks = null;
      reject(error);
    };
    const abort = () => {
      if (chunks !== null) refuse(new RequestAbortedError('the request was aborted'));
    };
    request.on('data', (chunk: Buffer) => {
      if (chunks === null) return;
      size += chunk.length;
      if (size > BOUNDS.wireBytes) {
        request.pause();
        refuse(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => {
      if (chunks === null) return;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
      chunks = null;
    });
    request.on('error', abort);
    request.on('close', abort);
  });
}
