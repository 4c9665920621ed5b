import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { Event } from '@tidewatch/contracts/events/event';
import type { NotificationTransition } from '@tidewatch/contracts/notifications/notification';

/** A channel with its secrets decrypted. */
export type Destination = KindAndConfig & { id: string; name: string };

/**
 * One message. `event` is the CloudEvent that webhooks carry as it is (`alert.<transition>`, or any where that is
 * `event`); its id is the same in every attempt. `alerts` are the records that it is about: one, all of a digest, none.
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
      /**
       * The identifier that a later message about the same alert needs: Slack's conversation and time, or an email's
       * Message-ID.
       */
      reference: string | null;
    }
  | {
      status: 'failed';
      /** True if the same message may succeed later. */
      retryable: boolean;
      /** The time that the destination asks us to wait before the next attempt, ms. */
      retryAfterMs: number | null;
      /** The error in one line that is shown to people and holds no secret. */
      error: string;
    };
