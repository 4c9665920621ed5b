import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface FakeService {
  url: string;
  asked: Asked[];
}

/**
 * A server on loopback for one test, which answers by a script: its n-th request by the n-th handler, the rest by the last.
 */
export async function fakeService(
  ...script: ((request: Asked, response: ServerResponse) => void)[]
): Promise<FakeService> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: Buffer.concat(chunks) };
    asked.push(one);
    script[Math.min(asked.length, script.length) - 1]?.(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (_request: Asked, response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function problem(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  errors: unknown[] = [],
) {
  const body = { type: `/problems/${code}`, title: code, status, detail: `It is ${code}.`, code, errors };
  return json(status, body, { 'X-Request-Id': 'req-1', ...headers });
}
