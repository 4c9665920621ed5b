import { CHANNEL_KINDS } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Changed } from '@tidewatch/store/notifications/withheld';
import { z } from 'zod';
import type { SubscribedEvent } from './subscribed-event.ts';

const ruleSchema = z.object({ data: z.object({ rule: z.object({ id: z.string() }) }) });
const channelSchema = z.object({
  data: z.object({ channel: z.object({ id: z.string(), kind: z.enum(CHANNEL_KINDS) }) }),
});

/**
 * The rule or channel whose change an event reports: after that, further channels may have to be notified of active alerts.
 */
export function changedBy({ type, organizationId, event }: SubscribedEvent): Changed[] {
  if (type === 'rule.updated') {
    const read = ruleSchema.safeParse(event);
    return read.success ? [{ organizationId, ruleId: read.data.data.rule.id }] : [];
  }
  if (type !== 'channel.created' && type !== 'channel.updated') return [];
  const read = channelSchema.safeParse(event);
  if (!read.success) return [];
  const { id: channelId, kind } = read.data.data.channel;
  return [{ organizationId, channelId, kind }];
}
