import { EVENT_TYPES } from '../events/event-types.ts';

/**
 * The notices that a channel can receive: a transition of one alert, or a digest of several. Each is an event
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

/** The types of events for which rules name no channels; a webhook receives them if its `events` contain the type. */
export const SUBSCRIBED_EVENTS = EVENT_TYPES.filter((type) => !NOTICES.has(type));
