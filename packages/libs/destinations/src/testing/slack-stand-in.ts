import type { ServerResponse } from 'node:http';
import { type HttpReceiver, type Received, startHttpReceiver } from './http-receiver.ts';

export interface SlackMessageSeen {
  channel: string;
  ts: string;
  thread_ts?: string;
  body: Record<string, unknown>;
  /** The number of times that the message was changed. */
  updates: number;
}

export interface SlackStandIn extends HttpReceiver {
  messages: SlackMessageSeen[];
  /** Makes the next call of a method answer this error, with status 200. */
  failNext(error: string, headers?: Record<string, string>): void;
}

export const BOT_TOKEN = 'xoxb-test-token-0123456789';
const CHANNEL_ID = 'C0123456789';

interface TextObject {
  type?: unknown;
  text?: unknown;
}

/**
 * Starts a stand-in of Slack as its reference documents it: `/services/…` is an incoming webhook, `/api/chat.postMessage`
 * and `/api/chat.update` are methods for BOT_TOKEN. Refuses messages beyond the limits of Block Kit.
 */
export async function startSlack(): Promise<SlackStandIn> {
  const messages: SlackMessageSeen[] = [];
  const failures: { error: string; headers: Record<string, string> }[] = [];
  let seconds = 1_790_000_000;

  function answer(response: ServerResponse, { path, headers, body }: Received): void {
    const reply = (value: object, more = {}) =>
      response.writeHead(200, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value));
    const message: Record<string, unknown> = JSON.parse(body);
    const fault = faultOf(message);
    if (path.startsWith('/services/')) {
      if (fault !== null) {
        response.writeHead(400).end(fault);
        return;
      }
      messages.push({ channel: path, ts: String(seconds++), body: message, updates: 0 });
      response.writeHead(200).end('ok');
      return;
    }
    const failure = failures.shift();
    if (failure !== undefined) reply({ ok: false, error: failure.error }, failure.headers);
    else if (headers.authorization !== `Bearer ${BOT_TOKEN}`) reply({ ok: false, error: 'invalid_auth' });
    else if (fault !== null) reply({ ok: false, error: fault });
    else if (path === '/api/chat.postMessage') {
      const ts = `${seconds++}.000100`;
      const { thread_ts: thread } = message;
      const inThread = typeof thread === 'string' ? { thread_ts: thread } : {};
      messages.push({ channel: CHANNEL_ID, ts, body: message, updates: 0, ...inThread });
      reply({ ok: true, channel: CHANNEL_ID, ts });
    } else if (path === '/api/chat.update') {
      const seen = messages.find(({ ts, channel }) => ts === message['ts'] && channel === message['channel']);
      if (seen === undefined) return void reply({ ok: false, error: 'message_not_found' });
      seen.body = message;
      seen.updates += 1;
      reply({ ok: true, channel: seen.channel, ts: seen.ts });
    } else reply({ ok: false, error: 'unknown_method' });
  }

  const receiver = await startHttpReceiver(answer);
  const failNext = (error: string, headers = {}) => failures.push({ error, headers });
  return Object.assign(receiver, { messages, failNext });
}

/** Checks a message against the documented limits of blocks and of `chat.postMessage`. */
function faultOf(message: Record<string, unknown>): string | null {
  const blocks = (message['blocks'] ?? []) as Record<string, unknown>[];
  const text = message['text'];
  if (blocks.length === 0 && (typeof text !== 'string' || text === '')) return 'no_text';
  if (typeof text === 'string' && text.length > 40_000) return 'msg_too_long';
  if (blocks.length > 50) return 'invalid_blocks';
  return blocks.every(isValidBlock) ? null : 'invalid_blocks';
}

function isValidBlock(block: Record<string, unknown>): boolean {
  const elements = (block['elements'] ?? []) as Record<string, unknown>[];
  const fields = (block['fields'] ?? []) as TextObject[];
  switch (block['type']) {
    case 'header':
      return isText(block['text'], 150, ['plain_text']);
    case 'section':
      return (
        (block['text'] === undefined ? fields.length > 0 : isText(block['text'], 3_000)) &&
        fields.length <= 10 &&
        fields.every((field) => isText(field, 2_000))
      );
    case 'actions':
      return elements.length >= 1 && elements.length <= 25 && elements.every(isValidButton);
    default:
      return false;
  }
}

function isValidButton(element: Record<string, unknown>): boolean {
  const url = element['url'];
  return (
    element['type'] === 'button' &&
    isText(element['text'], 75, ['plain_text']) &&
    (url === undefined || (typeof url === 'string' && url.length <= 3_000))
  );
}

function isText(value: unknown, max: number, types = ['plain_text', 'mrkdwn']): boolean {
  const { type, text } = (value ?? {}) as TextObject;
  return types.includes(String(type)) && typeof text === 'string' && text.length >= 1 && text.length <= max;
}
