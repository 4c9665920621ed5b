import type { ChannelKind, ConfigByKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { type NoticeFacts, noticeContent } from '@tidewatch/domain/notification/content';
import type { ChannelSender } from './channel-sender.ts';
import { emailSender } from './email/send-email.ts';
import { readSmtpUrl } from './email/smtp-server.ts';
import { createAddressGuard } from './guard/address-guard.ts';
import type { Resolve, UnusableNameError } from './guard/guarded-lookup.ts';
import { ATTEMPT_TIMEOUT_MS, createGuardedClient } from './http/guarded-client.ts';
import { failed } from './http/outcome.ts';
import type { AlertNotice, Destination, Notice, Outcome } from './notice.ts';
import { pagerdutySender } from './pagerduty/send-pagerduty.ts';
import { slackSender } from './slack/send-slack.ts';
import { webhookSender } from './webhook/send-webhook.ts';

/** The sender of each kind of channel. */
const SENDERS: { readonly [Kind in ChannelKind]: ChannelSender<ConfigByKind[Kind]> } = {
  slack: slackSender,
  email: emailSender,
  webhook: webhookSender,
  pagerduty: pagerdutySender,
};

export interface Sender {
  /**
   * Makes one attempt of at most ten seconds; never throws. `reference` belongs to an earlier message about this alert to
   * this destination.
   */
  send(destination: Destination, notice: Notice, reference: string | null): Promise<Outcome>;
  close(): Promise<void>;
}

/** The mail server, and the sender's address. */
export interface EmailOptions {
  /** `smtp://user:password@host:587` or `smtps://…` */
  smtpUrl: string;
  /** `Tidewatch <tidewatch@example.com>` */
  from: string;
}

/** The options of a sender, as `destinationSettings` of @tidewatch/runtime provide them. */
export interface SenderOptions {
  /** The private addresses that may be called: all, those of some networks (CIDR), or none. */
  allowPrivate: boolean | readonly string[];
  /** The mail server; null if none is configured, so that emails fail and are not retried. */
  email: EmailOptions | null;
  /** The public address of the product, without a slash at the end; null leaves links out of messages. */
  publicUrl: string | null;
  /** The server's clock, ms since the epoch. */
  clock: () => number;
  /** Receives errors in Tidewatch's own code, to be logged; failures of a destination are outcomes. */
  onFault?: (error: unknown) => void;
  /** Receives the reason why a host name cannot be used. Only for the log: tenants must not learn it. */
  onUnusableName?: (error: UnusableNameError) => void;
  /** Resolves host names. Default: the system's resolver for the mail server, `createNameResolver` for all others. */
  resolve?: Resolve;
  /** Maximum duration of an attempt, ms. Default: ATTEMPT_TIMEOUT_MS. */
  timeoutMs?: number;
}

/** Creates a sender for every kind of channel. Throws RangeError if an option is invalid. */
export function createSender(options: SenderOptions): Sender {
  const guard = createAddressGuard(options.allowPrivate);
  const timeoutMs = options.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
  const shared = {
    guard,
    timeoutMs,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    ...(options.onUnusableName === undefined ? {} : { onUnusableName: options.onUnusableName }),
  };
  const client = createGuardedClient(shared);
  const email =
    options.email === null
      ? null
      : { ...shared, server: readSmtpUrl(options.email.smtpUrl), from: options.email.from };
  const underway = new Set<Promise<Outcome>>();

  async function attempt(
    destination: Destination,
    notice: Notice,
    reference: string | null,
  ): Promise<Outcome> {
    const sender: ChannelSender<never> = SENDERS[destination.kind];
    const given = {
      config: destination.config as never,
      reference,
      email,
      now: options.clock(),
      http: () => client.attempt(),
    };
    const { transition } = notice;
    if (transition !== 'event') {
      const about = { ...notice, transition };
      const content = () => noticeContent(factsOf(about, options.publicUrl));
      return sender.sendAlert({ ...given, notice: about, content });
    }
    return (
      (await sender.sendEvent?.({ ...given, notice })) ??
      failed('only webhooks can deliver events that are not about alerts', { retryable: false })
    );
  }

  return {
    async send(destination, notice, reference) {
      const outcome = Promise.resolve()
        .then(() => attempt(destination, notice, reference))
        .catch((error: unknown) => {
          options.onFault?.(error);
          return failed('the message could not be built; the log has the cause', { retryable: false });
        });
      underway.add(outcome);
      await outcome;
      underway.delete(outcome);
      return outcome;
    },
    async close() {
      await Promise.all(underway);
    },
  };
}

function factsOf({ transition, event, alerts }: AlertNotice, publicUrl: string | null): NoticeFacts {
  const [first] = alerts;
  const eventRule = 'rule' in event.data ? event.data.rule : undefined;
  const runbookUrl = eventRule !== undefined && 'runbook_url' in eventRule ? eventRule.runbook_url : null;
  const rule = { name: eventRule?.name ?? first?.rule_name ?? '', runbookUrl };
  return { transition, time: Date.parse(event.time), rule, alerts, publicUrl };
}
