import type { NoticeContent } from '@tidewatch/domain/notification/content';
import type { EmailSenderOptions } from './email/smtp-server.ts';
import type { HttpAttempt } from './http/guarded-client.ts';
import type { AlertNotice, Notice, Outcome } from './notice.ts';

/** An attempt to deliver a notice to a destination with this configuration. */
export interface Attempt<Config, N extends Notice = Notice> {
  config: Config;
  notice: N;
  /** The reference of an earlier message about the alert to this destination; null if there is none. */
  reference: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  http: () => HttpAttempt;
  /** The mail server; null if none is configured. */
  email: EmailSenderOptions | null;
}

/** An attempt to deliver a notice about alerts; `content` returns the texts of the message. */
export type AlertAttempt<Config> = Attempt<Config, AlertNotice> & { content: () => NoticeContent };

/** Delivers notices for one kind of channel. */
export interface ChannelSender<Config> {
  sendAlert(attempt: AlertAttempt<Config>): Promise<Outcome>;
  /** Sends an event that is not about alerts; absent for kinds of channels that cannot. */
  sendEvent?(attempt: Attempt<Config>): Promise<Outcome>;
}
