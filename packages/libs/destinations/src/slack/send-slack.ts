import type {
  SlackBotConfig,
  SlackConfig,
  SlackWebhookConfig,
} from '@tidewatch/contracts/channels/kinds/slack';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import type { ChannelSender } from '../channel-sender.ts';
import type { Exchange, HttpAttempt } from '../http/guarded-client.ts';
import { failed, outcomeOf, retryAfter } from '../http/outcome.ts';
import type { Outcome } from '../notice.ts';
import { slackMessage, slackReply } from './slack-message.ts';

/** Slack's error codes of failures that are retried; all others need a change by a person. */
const RETRYABLE_ERRORS = new Set([
  ...['ratelimited', 'rate_limited', 'message_limit_exceeded', 'internal_error', 'fatal_error'],
  ...['service_unavailable', 'request_timeout', 'team_added_to_org'],
]);

/** Errors of `chat.update` after which a new message is posted instead. */
const NOT_UPDATABLE_ERRORS = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
]);

type Method = 'chat.postMessage' | 'chat.update';

/**
 * Posts to an incoming webhook, or as a bot. A bot posts a message for the first notice of an alert; each later notice
 * updates that message and replies in its thread. `reference` is `<conversation>:<ts>` of the message.
 */
function sendSlack(
  http: HttpAttempt,
  config: SlackConfig,
  content: NoticeContent,
  reference: string | null,
  now: number,
): Promise<Outcome> {
  return 'webhook_url' in config
    ? sendByWebhook(http, config, content, now)
    : sendByBot(http, config, content, reference, now);
}

async function sendByWebhook(
  http: HttpAttempt,
  config: SlackWebhookConfig,
  content: NoticeContent,
  now: number,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const exchange = await http.post(config.webhook_url, headers, JSON.stringify(slackMessage(content)));
  if (!exchange.answered) return outcomeOf(exchange, now);
  const answer = parseAnswer(exchange.text);
  return answer?.ok === false
    ? refused(exchange, answer, now)
    : outcomeOf(exchange, now, errorCodeOf(exchange.text));
}

async function sendByBot(
  http: HttpAttempt,
  config: SlackBotConfig,
  content: NoticeContent,
  reference: string | null,
  now: number,
): Promise<Outcome> {
  const call = (method: Method, body: object) => callMethod(http, config, method, body, now);
  const message = slackMessage(content);
  const [channel, ts] = reference?.split(':') ?? [];
  if (channel !== undefined && ts !== undefined) {
    const updated = await call('chat.update', { channel, ts, ...message });
    if (updated.status === 'delivered') {
      const reply = { channel, thread_ts: ts, ...slackReply(content) };
      const replied = await call('chat.postMessage', reply);
      return replied.status === 'delivered' ? { status: 'delivered', reference } : outcomeIn(replied);
    }
    if (!NOT_UPDATABLE_ERRORS.has(updated.errorCode)) return outcomeIn(updated);
  }
  return outcomeIn(await call('chat.postMessage', { channel: config.channel, ...message }));
}

interface SlackAnswer {
  ok?: unknown;
  error?: unknown;
  channel?: unknown;
  ts?: unknown;
}

/** The outcome of a call of Slack's API, with Slack's error code, or '' if it gave none. */
type MethodOutcome =
  | (Outcome & { status: 'delivered' })
  | (Outcome & { status: 'failed'; errorCode: string });

function outcomeIn(called: MethodOutcome): Outcome {
  if (called.status === 'delivered') return called;
  const { errorCode: _, ...outcome } = called;
  return outcome;
}

async function callMethod(
  http: HttpAttempt,
  { api_url, bot_token }: SlackBotConfig,
  method: Method,
  body: object,
  now: number,
): Promise<MethodOutcome> {
  const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${bot_token}` };
  const exchange = await http.post(`${api_url}/${method}`, headers, JSON.stringify(body));
  const answer = exchange.answered ? parseAnswer(exchange.text) : null;
  if (!exchange.answered || exchange.status < 200 || exchange.status >= 300) {
    const outcome = outcomeOf(
      exchange,
      now,
      typeof answer?.error === 'string' ? errorCodeOf(answer.error) : null,
    );
    return outcome.status === 'failed' ? { ...outcome, errorCode: '' } : outcome;
  }
  if (answer?.ok === false) return refused(exchange, answer, now);
  if (answer?.ok !== true)
    return { ...failed('the answer is not one of the Slack API', { retryable: true }), errorCode: '' };
  const { channel, ts } = answer;
  const known = typeof channel === 'string' && typeof ts === 'string';
  return { status: 'delivered', reference: known ? `${channel}:${ts}` : null };
}

/** The outcome of a call that Slack refused with status 200. */
function refused(exchange: Exchange, answer: SlackAnswer, now: number): MethodOutcome & { status: 'failed' } {
  const errorCode = (typeof answer.error === 'string' ? errorCodeOf(answer.error) : null) ?? '';
  const retryAfterMs = exchange.answered ? retryAfter(exchange.header('retry-after'), now) : null;
  const outcome = failed(`Slack refused it (${errorCode || 'no reason given'})`, {
    retryable: RETRYABLE_ERRORS.has(errorCode),
    retryAfterMs,
  });
  return { ...outcome, errorCode };
}

function parseAnswer(text: string): SlackAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** Returns only texts that look like Slack's error codes, since any other text may repeat secrets of the request. */
function errorCodeOf(text: string): string | null {
  return /^[a-z_]{1,60}$/.test(text.trim()) ? text.trim() : null;
}

export const slackSender: ChannelSender<SlackConfig> = {
  sendAlert: ({ http, config, content, reference, now }) =>
    sendSlack(http(), config, content(), reference, now),
};
