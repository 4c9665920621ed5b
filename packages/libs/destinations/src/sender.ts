import type { Alert } from '@tidewatch/contracts/alert';
import type { KindAndConfig, Transition } from '@tidewatch/contracts/channel-config';
import type { Event } from '@tidewatch/contracts/event';

/** A channel as a sender needs it: secrets in clear. */
export type Destination = KindAndConfig & { id: string; name: string };

/**
 * One message. `event` is the CloudEvent that webhooks carry as it is (`alert.<transition>`); its id is the same in
 * every attempt. `alerts` are the records that it is about: one, or all of a digest.
 */
export interface Notice {
  transition: Transition;
  event: Event;
  alerts: readonly Alert[];
}

export type Outcome =
  | {
      status: 'delivered';
      /** What a later message about the same alert needs: Slack's conversation and time, an email's Message-ID. */
      reference: string | null;
    }
  | {
      status: 'failed';
      /** Whether the same message may succeed later. */
      retryable: boolean;
      /** How long the destination asks to be left alone, ms. */
      retryAfterMs: number | null;
      /** One line for people, without secrets. */
      error: string;
    };

export interface Sender {
  /**
   * Makes one attempt, in ten seconds at most; never throws. `reference` is that of an earlier message about this alert
   * to this destination.
   */
  send(destination: Destination, notice: Notice, reference: string | null): Promise<Outcome>;
  close(): Promise<void>;
}

/** How to hand over email. */
export interface EmailOptions {
  /** `smtp://user:password@host:587` or `smtps://…` */
  smtpUrl: string;
  /** `Tidewatch <tidewatch@example.com>` */
  from: string;
}

/** What the settings `destinationSettings` of @tidewatch/runtime/destination-settings amount to. */
export interface SenderOptions {
  /** Whether private addresses may be called: all, those of some networks (CIDR), or none. */
  allowPrivate: boolean | readonly string[];
  /** null where the installation has no mail server: email then fails for good. */
  email: EmailOptions | null;
  /** Where people reach the product, without a slash at the end; null leaves links out. */
  publicUrl: string | null;
  /** The server's clock, ms since the epoch. */
  clock: () => number;
}
