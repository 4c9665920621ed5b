import type { Channel, ChannelWarning, StoredChannel } from '@tidewatch/contracts/channels/channel';

const NO_MAIL_SERVER: ChannelWarning = {
  code: 'mail_server_not_configured',
  message: 'TIDEWATCH_EMAIL_SMTP_URL is not set: nothing is sent to this channel until it is.',
};

/** A channel with warnings about why it does not work. `hasMailServer`: whether the installation has a mail server. */
export function withWarnings(channel: StoredChannel, hasMailServer: boolean): Channel {
  const isUnsent = channel.kind === 'email' && !hasMailServer;
  return { ...channel, warnings: isUnsent ? [NO_MAIL_SERVER] : [] };
}
