import { EVENT_TYPES, type EventType } from '../events/event-types.ts';

/**
 * The notices that a channel can receive: a transition of one alert, or of several at once. Each is an event
 * `alert.<transition>`.
 */
export const TRANSITIONS = [
  'fired',
  'escalated',
  'resolved',
  'renotified',
  'flapping',
  'silence_ended',
  'digest',
] as const;

export type Transition = (typeof TRANSITIONS)[number];
export type NoticeEvent = `alert.${Transition}`;

/** The events that a webhook receives by default. */
export const NOTICE_EVENTS = TRANSITIONS.map((transition) => `alert.${transition}` as const);

const NOTICES: ReadonlySet<string> = new Set(NOTICE_EVENTS);

/** The events that rules name no channels for: a webhook receives them if its `events` list their type. */
export const SUBSCRIBED_EVENTS = EVENT_TYPES.filter((type) => !NOTICES.has(type));

/** An incoming webhook, which posts to the one conversation that it was made for. */
export interface SlackWebhookConfig {
  webhook_url: string;
}

/** A bot, which can change its messages and answer in their threads. */
export interface SlackBotConfig {
  bot_token: string;
  /** Id or name of the conversation. */
  channel: string;
  /** Where Slack's methods are, without a slash at the end. */
  api_url: string;
}

export type SlackConfig = SlackWebhookConfig | SlackBotConfig;

export interface EmailConfig {
  to: string[];
}

export interface WebhookConfig {
  url: string;
  /** `whsec_` and the key in base64 (Standard Webhooks). */
  secret: string;
  /** Sent with every delivery; values may be secrets. */
  headers: Record<string, string>;
  /** The events that it receives; `wantsEvent` in @tidewatch/domain/notification/wants-event decides for a type. */
  events: EventType[];
}

export interface PagerdutyConfig {
  routing_key: string;
  api_url: string;
}

/** The configuration of a channel by its kind, secrets in clear. */
export interface ConfigByKind {
  slack: SlackConfig;
  email: EmailConfig;
  webhook: WebhookConfig;
  pagerduty: PagerdutyConfig;
}

/** The providers' own addresses. */
export const PROVIDER_APIS = {
  slack: 'https://slack.com/api',
  pagerduty: 'https://events.pagerduty.com/v2/enqueue',
} as const;

/** A kind with its configuration. */
export type KindAndConfig = {
  [Kind in keyof ConfigByKind]: { kind: Kind; config: ConfigByKind[Kind] };
}[keyof ConfigByKind];
