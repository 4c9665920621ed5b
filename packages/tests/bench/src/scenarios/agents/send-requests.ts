import { Agent, request } from 'node:http';

export interface AgentRequest {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const WITHIN_MS = 60_000;

/** Sends requests over so many kept connections, one at a time over each. Throws at the first one that is not answered with success. */
export async function sendRequests(
  url: string,
  key: string,
  requests: readonly AgentRequest[],
  connections: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const sender = async () => {
    for (let each = requests[next++]; each !== undefined; each = requests[next++])
      await send(url, key, each, agent);
  };
  try {
    await Promise.all(Array.from({ length: connections }, sender));
  } finally {
    agent.destroy();
  }
}

function send(url: string, key: string, { path, headers, body }: AgentRequest, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(
      `${url}${path}`,
      {
        method: 'POST',
        agent,
        timeout: WITHIN_MS,
        headers: { ...headers, 'x-api-key': key, 'content-length': body.length },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status === 200 || status === 204) resolve();
          else reject(new Error(`${path}: ${status} ${Buffer.concat(parts).toString('utf8', 0, 500)}`));
        });
        response.on('error', reject);
      },
    );
    sending.on('timeout', () => sending.destroy(new Error(`${path}: no response within ${WITHIN_MS} ms`)));
    sending.on('error', reject);
    sending.end(body);
  });
}
