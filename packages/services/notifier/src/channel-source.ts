import type { Sql } from '@tidewatch/database/connection';
import { readDestination } from '@tidewatch/store/channels/read';
import { readChannels } from '@tidewatch/store/notifications/channels';
import type { SecretBox } from '@tidewatch/store/secrets/secret-box';
import type { NotifierOptions } from './notifier.ts';

/** Reads channels from the store: without secrets for planning, with decrypted secrets for delivery. */
export function createChannelSource(
  sql: Sql,
  secrets: SecretBox,
): Pick<NotifierOptions, 'readChannels' | 'readDestination'> {
  return {
    readChannels,
    async readDestination(organizationId, id) {
      return (await readDestination(sql, secrets, organizationId, id)) ?? 'channel_deleted';
    },
  };
}
