import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Draft } from '../../form/form-state.ts';

export const KIND_WORDS: Readonly<Record<ChannelKind, string>> = {
  slack: 'Slack',
  email: 'email',
  webhook: 'webhook',
  pagerduty: 'PagerDuty',
};

export const KINDS = Object.entries(KIND_WORDS) as [ChannelKind, string][];

/** A new channel of a kind. */
export function newChannel(kind: ChannelKind): Draft {
  const configs: Readonly<Record<ChannelKind, Draft>> = {
    slack: { webhook_url: '' },
    email: { to: [] },
    webhook: { url: '' },
    pagerduty: { routing_key: '' },
  };
  return { kind, name: '', is_default: false, enabled: true, config: configs[kind] };
}

/** Where a channel sends to, masked as the API masks it. */
export function destinationOf(config: object): string {
  const fields = config as Readonly<Record<string, unknown>>;
  const to =
    fields['to'] ?? fields['webhook_url'] ?? fields['url'] ?? fields['channel'] ?? fields['routing_key'];
  return Array.isArray(to) ? to.join(', ') : String(to ?? '');
}
