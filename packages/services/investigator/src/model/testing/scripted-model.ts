import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body of the request as text, and parsed. */
  raw: string;
  body: {
    model?: string;
    messages?: { role: string; content: unknown }[];
    tools?: unknown[];
    tool_choice?: unknown;
    response_format?: { type: string };
    max_tokens?: number;
  };
}

/** Answers one request. A response that it does not end stays open until the server closes. */
export type Script = (asked: Asked, response: ServerResponse) => void;

/** A server of an OpenAI-compatible model on the loopback interface that answers by a script. */
export interface ScriptedModel {
  baseUrl: string;
  asked: Asked[];
  does(script: Script): void;
  close(): Promise<void>;
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let script: Script = (_, response) => response.writeHead(500).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const { url: path = '', headers } = request;
      const each = { path, headers, raw, body: JSON.parse(raw === '' ? '{}' : raw) };
      asked.push(each);
      script(each, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    does(next) {
      script = next;
      asked.length = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function completion(message: object, finish: string): object {
  const choices = [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }];
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    usage: USAGE,
    choices,
  };
}

/** Answers with text. */
export function says(text: string | ((asked: Asked) => string)): Script {
  return (asked, response) =>
    send(response, completion({ content: typeof text === 'string' ? text : text(asked) }, 'stop'));
}

/** Answers with text that was truncated at the limit of tokens. */
export function saysAtMost(text: string): Script {
  return (_, response) => send(response, completion({ content: text }, 'length'));
}

/** Answers with JSON as text. */
export function saysJson(value: unknown): Script {
  return says(JSON.stringify(value));
}

/** Calls the given tools, all in one answer. */
export function calls(...tools: [name: string, input: unknown][]): Script {
  const called = tools.map(([name, input], index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return (_, response) => send(response, completion({ content: null, tool_calls: called }, 'tool_calls'));
}

/** Uses one script after the other, and the last one for all further requests. */
export function inTurn(...scripts: [Script, ...Script[]]): Script {
  let next = 0;
  return (asked, response) => {
    const script = scripts[Math.min(next, scripts.length - 1)] ?? scripts[0];
    next += 1;
    script(asked, response);
  };
}

/** Answers with an error status and a body that contains secrets, which must not be shown. */
export function fails(status: number, headers: Record<string, string> = {}): Script {
  return (asked, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `CANARY ${asked.headers.authorization}` } }));
}

/** Accepts the request and never answers. */
export function hangs(): Script {
  return () => undefined;
}

/** Sends a byte every 20 ms without end. */
export function drips(): Script {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  };
}

/** Sends as much as the client reads, without end. */
export function floods(): Script {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('a'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
}
