import type { ServerReadableStream } from '@grpc/grpc-js';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { RequestAbortedError } from '../../../body/read-body.ts';

/** A call of the method Export, whose message is read only once it is asked for. */
export type ExportCall = ServerReadableStream<Buffer, Uint8Array>;

/** A signal that is aborted when the client cancels the call, disconnects, or reaches its deadline. */
export function callGone(call: ExportCall): AbortSignal {
  const controller = new AbortController();
  call.on('cancelled', () => controller.abort(new RequestAbortedError('the client cancelled the call')));
  return controller.signal;
}

/** Reads the one message of a call. Rejects with a 400 if there are none or several, with a 503 after `withinMs`, or when `gone`. */
export function readMessage(call: ExportCall, gone: AbortSignal, withinMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let message: Buffer | null = null;
    const late = setTimeout(() => {
      refuse(
        new ProblemError('ingest_unavailable', { detail: `The message took longer than ${withinMs} ms.` }),
      );
    }, withinMs);
    const end = () => {
      clearTimeout(late);
      gone.removeEventListener('abort', abort);
      message = null;
    };
    const refuse = (error: unknown) => {
      end();
      call.pause();
      reject(error);
    };
    const abort = () => refuse(gone.reason);
    if (gone.aborted) return abort();
    gone.addEventListener('abort', abort);
    call.on('data', (next: Buffer) => {
      if (message === null) message = next;
      else refuse(new ProblemError('bad_request', { detail: 'A call has one message.' }));
    });
    call.on('error', refuse);
    call.on('end', () => {
      if (message === null)
        return refuse(new ProblemError('bad_request', { detail: 'A call needs a message.' }));
      resolve(message);
      end();
    });
  });
}
