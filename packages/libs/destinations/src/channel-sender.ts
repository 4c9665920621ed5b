import type { NoticeContent } from '@tidewatch/domain/notification/content';
import type { EmailSenderOptions } from './email/smtp-server.ts';
import type { HttpAttempt } from './http/guarded-client.ts';
import type { AlertNotice, Notice, Outcome } from './notice.ts';

/** An attempt to deliver a notice to a destination with this configuration. */
export interface Attempt<Config, N extends Notice = Notice> {
  config: Config;
  notice: N;
  /** Reference of an earlier message about the alert to this destination. */
  reference: string | null;
  /** ms since the epoch */
  now: number;
  http: () => HttpAttempt;
  /** null where no mail server is configured. */
  email: EmailSenderOptions | null;
}

/** An attempt to deliver a notice about alerts; `content` returns what the message says about them. */
export type AlertAttempt<Config> = Attempt<Config, AlertNotice> & { content: () => NoticeContent };

/** Delivers notices for one kind of channel. */
export interface ChannelSender<Config> {
  sendAlert(attempt: AlertAttempt<Config>): Promise<Outcome>;
  /** Kinds without it deliver nothing but notices about alerts. */
  sendEvent?(attempt: Attempt<Config>): Promise<Outcome>;
}
