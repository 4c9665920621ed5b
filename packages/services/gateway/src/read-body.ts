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
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      request.off('data', take);
      request.off('end', finish);
      request.off('error', fail);
      request.off('close', fail);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > BOUNDS.wireBytes) {
        stop();
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    };
    const finish = () => {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const fail = () => {
      stop();
      reject(new RequestAbortedError('the request was aborted'));
    };
    request.on('data', take);
    request.on('end', finish);
    request.on('error', fail);
    request.on('close', fail);
  });
}
