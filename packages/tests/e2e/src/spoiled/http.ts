import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Sent {
  method: string;
  /** Path and query string of the request. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const WITHIN_MS = 30_000;
/** How long a stream without an end is read, ms. */
const STREAM_MS = 50;

/** Sends requests unchanged, over connections that are kept alive. */
export function createHttp(url: string): { send(sent: Sent): Promise<Received>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(url);
  return {
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const options = { agent, hostname, port, method, path: target, headers, timeout: WITHIN_MS };
        const request = httpRequest(options, (response) => {
          const chunks: Buffer[] = [];
          const done = () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            });
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', done);
          response.on('error', reject);
          if (response.headers['content-type']?.startsWith('text/event-stream') === true)
            setTimeout(() => {
              done();
              request.destroy();
            }, STREAM_MS);
        });
        request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${target}`)));
        request.on('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}
