import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that adds a key to each request and passes it on; Host and Origin stay as they are. */
export interface KeyProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy to the server at `url`, for programs that cannot send a key. */
export async function startKeyProxy(url: string, key: string): Promise<KeyProxy> {
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers: { ...headers, 'x-api-key': key } });
    onward.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
