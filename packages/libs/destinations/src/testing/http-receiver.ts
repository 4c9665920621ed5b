import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers one request. A response that it does not end stays open until the receiver is closed. */
export type Answer = (response: ServerResponse, received: Received) => void;

/** A destination on the loopback interface that records requests. */
export interface HttpReceiver {
  url(path?: string): string;
  port: number;
  got: Received[];
  /** The number of bytes sent in all answers. */
  bytesSent(): number;
  close(): Promise<void>;
}

/** Starts a server on the loopback interface that answers every request by `answer`. */
export async function startHttpReceiver(answer: Answer): Promise<HttpReceiver> {
  const got: Received[] = [];
  const sockets = new Set<Socket>();
  let sent = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      got.push(received);
      answer(response, received);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    port,
    got,
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a status, headers and a body. */
export function status(code: number, headers: Record<string, string> = {}, body = 'ok'): Answer {
  return (response) => response.writeHead(code, headers).end(body);
}

/** Returns the given answers in order, and repeats the last one. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  let next = 0;
  return (response, received) => {
    const answer = answers[Math.min(next++, answers.length - 1)] as Answer;
    answer(response, received);
  };
}
