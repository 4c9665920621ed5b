import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  status: number;
  /** The Retry-After of the response in seconds, 0 if there is none. */
  retryAfter: number;
  body: string;
}

/** The connection was lost before a response arrived, so it is unknown whether the request took effect. */
export class ConnectionLostError extends Error {}

/**
 * An HTTP/1.1 connection that is kept alive, with one request at a time, over a plain socket, because node:http takes twice
 * the CPU time.
 */
export interface Connection {
  post(path: string, body: string): Promise<HttpAnswer>;
  close(): void;
}

/** A response that takes longer counts as a lost connection, so that the wait for a hanging product ends. */
const ANSWER_WITHIN_MS = 120_000;

export function openConnection(baseUrl: string, key: string): Connection {
  const { hostname, port } = new URL(baseUrl);
  let socket: Socket | undefined;
  let received = '';
  let settle: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined;

  function lost(error?: Error): void {
    socket?.destroy();
    socket = undefined;
    received = '';
    const waiting = settle;
    settle = undefined;
    waiting?.reject(new ConnectionLostError(error?.message ?? 'the connection was closed'));
  }

  function open(): Socket {
    const opened = connect(Number(port), hostname);
    opened.setNoDelay(true);
    opened.setEncoding('latin1');
    opened.on('data', (text: string) => {
      received += text;
      const answer = takeAnswer(received);
      if (answer === undefined || settle === undefined) return;
      received = received.slice(answer.length);
      const waiting = settle;
      settle = undefined;
      waiting.resolve(answer);
      if (answer.closes) lost();
    });
    opened.setTimeout(ANSWER_WITHIN_MS, () => settle !== undefined && socket === opened && lost());
    opened.on('error', (error) => socket === opened && lost(error));
    opened.on('close', () => socket === opened && lost());
    return opened;
  }

  return {
    post(path, body) {
      socket ??= open();
      const length = Buffer.byteLength(body);
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
      const opened = socket;
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        opened.write(head + body);
      });
    },
    close() {
      const opened = socket;
      socket = undefined;
      opened?.destroy();
    },
  };
}

interface TakenAnswer extends HttpAnswer {
  length: number;
  closes: boolean;
}

/** The first complete response in `text`, or undefined. Bodies have a Content-Length or are chunked. */
export function takeAnswer(text: string): TakenAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const start = headEnd + 4;
  const status = Number(head.slice(9, 12));
  const retryAfter = Number(/\r\nretry-after: *(\d+)/i.exec(head)?.[1] ?? 0);
  const closes = /\r\nconnection: *close/i.test(head);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const chunks = takeChunks(text, start);
    return chunks && { status, retryAfter, closes, ...chunks };
  }
  const size = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < start + size) return undefined;
  return { status, retryAfter, closes, body: text.slice(start, start + size), length: start + size };
}

function takeChunks(text: string, start: number): { body: string; length: number } | undefined {
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (text.length < end + 2) return undefined;
    if (size === 0) return { body, length: end + 2 };
    body += text.slice(lineEnd + 2, end);
    at = end + 2;
  }
}
