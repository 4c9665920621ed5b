import { useQuery } from '@tanstack/react-query';
import { pages } from '@tidewatch/api-client/pages';
import type { Channel } from '@tidewatch/contracts/channels/channel';
import { api } from '../../api/client.ts';

/** All channels of the organization. */
export function useChannels() {
  return useQuery({
    queryKey: ['channels'],
    staleTime: 30_000,
    queryFn: async () => {
      const channels: Channel[] = [];
      for await (const { entries } of pages(api, '/api/v1/channels', 'channels', { limit: 100 }))
        channels.push(...(entries as Channel[]));
      return channels;
    },
  });
}

/** What people call a channel of a rule: the name of the one with that id, or the kind whose default it means. */
export function useChannelNames(): (channel: string) => string {
  const { data = [] } = useChannels();
  return (channel) => {
    if (channel === 'default') return 'all defaults';
    return data.find(({ id }) => id === channel)?.name ?? channel;
  };
}
