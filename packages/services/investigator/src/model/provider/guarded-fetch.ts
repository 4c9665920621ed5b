const MAX_ANSWER_BYTES = 1_048_576;

export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
}

/**
 * `fetch` for the address that the operator has configured, which may be private. Follows no redirect, so that the key is
 * sent nowhere else, and rejects a body larger than MAX_ANSWER_BYTES.
 */
export async function guardedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.body === null) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) controller.error(new AnswerTooLong());
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, { status: response.status, headers: response.headers });
}
