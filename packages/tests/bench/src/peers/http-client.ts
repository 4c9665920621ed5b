import { Agent, request } from 'node:http';

const ANSWER_WITHIN_MS = 120_000;
const MAX_ERROR_LENGTH = 300;

/** A client of one server, whose connections stay open. Each call resolves to the whole body; it throws unless the status is 2xx. */
export interface HttpClient {
  get(path: string): Promise<Buffer>;
  post(path: string, body: Uint8Array | string, headers?: Readonly<Record<string, string>>): Promise<Buffer>;
  close(): void;
}

/** Opens a client whose requests all carry `headers`. */
export function openHttpClient(
  url: string,
  headers: Readonly<Record<string, string>>,
  maxSockets = 64,
): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets });

  function send(
    method: string,
    path: string,
    body: Uint8Array | string,
    more: Readonly<Record<string, string>>,
  ): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        `${url}${path}`,
        {
          agent,
          method,
          headers: { ...headers, ...more, 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => pieces.push(piece));
          answer.once('error', reject);
          answer.once('end', () => {
            const bytes = Buffer.concat(pieces);
            const status = answer.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(bytes);
            else
              reject(
                new Error(`${method} ${path}: ${status} ${bytes.toString().slice(0, MAX_ERROR_LENGTH)}`),
              );
          });
        },
      );
      asked.once('error', reject);
      asked.end(body);
    });
  }

  return {
    get: (path) => send('GET', path, '', {}),
    post: (path, body, more = {}) => send('POST', path, body, more),
    close: () => agent.destroy(),
  };
}
