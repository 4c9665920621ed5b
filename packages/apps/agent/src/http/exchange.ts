import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';

export interface ExchangeOptions {
  /** The path of a unix socket to which the request is sent, in place of the host of the address. */
  socketPath?: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Keeps connections open between requests; undefined for a connection that ends with the answer. */
  agent?: Agent | undefined;
  /** Ends the request. The promise rejects with its reason. */
  signal: AbortSignal;
  /** The max size of the answer's body, bytes. */
  maxBytes: number;
}

export interface Answer {
  status: number;
  statusText: string;
  headers: { get(name: string): string | null };
  body: string;
}

const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sends one request by Node's own client, which takes 13 MB of memory less than `fetch`, and reads the answer whole. Redirects
 * are not followed. A request whose kept connection the server has closed meanwhile is sent again, once. Rejects with an error
 * of the system, with the reason of the signal, or if the body is too large.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Answer> {
  try {
    return await sendOnce(url, options);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    return await sendOnce(url, options);
  }
}

/** The server closed a kept connection before it answered. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

async function sendOnce(url: URL, options: ExchangeOptions): Promise<Answer> {
  const { agent = false, body, headers = {}, maxBytes, method = 'GET', signal, socketPath } = options;
  // Loaded only where it is needed, because it takes 5 MB of memory.
  const send = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  return await new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      agent,
      signal,
      headers: body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
      ...(socketPath !== undefined && { socketPath }),
    });
    const fail = (error: NodeJS.ErrnoException) => reject(signal.aborted ? signal.reason : error);
    let isAnswered = false;
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && !isAnswered && LOST_CONNECTION.has(error.code ?? '');
      fail(isStale ? new StaleConnectionError('the server closed the connection', { cause: error }) : error);
    });
    outgoing.on('response', (response) => {
      isAnswered = true;
      readAnswer(response, maxBytes).then(resolve, (error) => {
        outgoing.destroy();
        fail(error);
      });
    });
    outgoing.end(body);
  });
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  const { headers, statusCode: status = 0, statusMessage: statusText = '' } = response;
  const body = Buffer.concat(chunks).toString('utf8');
  return { status, statusText, headers: { get: (name) => headerOf(headers, name) }, body };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
