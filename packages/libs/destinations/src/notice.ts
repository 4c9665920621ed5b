import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { Event } from '@tidewatch/contracts/events/event';
import type { NotificationTransition } from '@tidewatch/contracts/notifications/notification';

/** A channel with its secrets decrypted. */
export type Destination = KindAndConfig & { id: string; name: string };

/**
 * A notice to deliver. `event` is the CloudEvent that webhooks receive unchanged; its id is the same in every attempt.
 * `alerts` are the alerts that it is about: one, all of a digest, or none.
 */
export interface Notice {
  transition: NotificationTransition;
  event: Event;
  alerts: readonly Alert[];
}

/** A message about alerts. Every kind of channel can deliver it. */
export type AlertNotice = Notice & { transition: Transition };

export type Outcome =
  | {
      status: 'delivered';
      /** What a later message about the same alert refers to: Slack's conversation and time, or an email's Message-ID. */
      reference: string | null;
    }
  | {
      status: 'failed';
      /** True if the same message may succeed later. */
      retryable: boolean;
      /** How long the destination asks to wait before the next attempt, ms; null if it does not. */
      retryAfterMs: number | null;
      /** The error in one line that people can read; contains no secret. */
      error: string;
    };
