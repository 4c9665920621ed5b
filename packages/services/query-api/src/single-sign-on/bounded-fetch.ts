import type { CustomFetch } from 'openid-client';

/** Timeout of one request to the identity provider, from the connection to the last byte, ms. */
export const CALL_TIMEOUT_MS = 10_000;
/** Max size of a response of the identity provider, bytes. */
export const MAX_RESPONSE_BYTES = 524_288;
/** Max number of requests to the identity provider under way at once. */
const MAX_CALLS = 50;

/** The identity provider did not respond, or with something that is not taken. */
export class ProviderCallError extends Error {
  override name = 'ProviderCallError';
}

/** A `fetch` for openid-client that bounds time, size and number of requests, and follows no redirect. Throws ProviderCallError. */
export function createBoundedFetch(timeoutMs = CALL_TIMEOUT_MS): CustomFetch {
  let underWay = 0;
  return async (url, { method, headers, body, signal: given }) => {
    if (underWay >= MAX_CALLS) throw new ProviderCallError('too many requests to it are under way');
    underWay += 1;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([given, timeout]) : timeout;
    try {
      const response = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
      return await bounded(response);
    } catch (error) {
      if (error instanceof ProviderCallError) throw error;
      const what = signal.aborted ? `timeout: no complete response within ${timeoutMs} ms` : reasonOf(error);
      throw new ProviderCallError(what, { cause: error });
    } finally {
      underWay -= 1;
    }
  };
}

/** The response with its whole body in memory. */
async function bounded({ status, headers, body }: Response): Promise<Response> {
  if (status >= 300 && status < 400) {
    await body?.cancel();
    throw new ProviderCallError(`it answered ${status}, and redirects are not followed`);
  }
  const bytes = await readAll(body);
  return new Response(bytes.length === 0 ? null : bytes, { status, headers });
}

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES)
      throw new ProviderCallError(`its response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return `the connection failed (${code ?? 'unknown'})`;
}
