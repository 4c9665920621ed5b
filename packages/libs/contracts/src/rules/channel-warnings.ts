import { CHANNEL_KINDS, type ChannelKind, isChannelKind } from '../channels/kinds/channel-kinds.ts';
import { DEFAULT_CHANNELS, type RuleDefinition, type RuleWarning } from './rule.ts';

/** The facts about an organization's channels that rules depend on. */
export interface RuleChannels {
  /** The ids of channels that are not deleted. */
  ids: ReadonlySet<string>;
  /** The ids of channels that are disabled. */
  disabled: ReadonlySet<string>;
  /** The kinds of channels with an enabled default. */
  kinds: ReadonlySet<ChannelKind>;
}

/**
 * Warnings about a rule's channels: none at all, missing or disabled defaults, and deleted or disabled channels. A rule in
 * `shadow` mode has none, because it notifies nobody.
 */
export function channelWarnings(
  { channels, mode }: Pick<RuleDefinition, 'channels' | 'mode'>,
  known: RuleChannels,
): RuleWarning[] {
  if (channels.length === 0) return mode === 'shadow' ? [] : [NOTIFIES_NOBODY];
  const missing = CHANNEL_KINDS.filter((kind) => channels.includes(kind) && !known.kinds.has(kind));
  const ids = [...new Set(channels)].filter(
    (channel) => !isChannelKind(channel) && channel !== DEFAULT_CHANNELS,
  );
  return [
    ...(channels.includes(DEFAULT_CHANNELS) && known.kinds.size === 0 ? [NO_DEFAULT] : []),
    ...missing.map((kind) =>
      notConfigured(
        `No default channel of the kind ${kind} is configured: what goes there is recorded and not sent.`,
      ),
    ),
    ...ids.flatMap((id) => {
      if (!known.ids.has(id))
        return [notConfigured(`The channel ${id} was deleted: what goes there is recorded and not sent.`)];
      if (!known.disabled.has(id)) return [];
      return [notConfigured(`The channel ${id} is disabled: what goes there is recorded and not sent.`)];
    }),
  ];
}

function notConfigured(message: string): RuleWarning {
  return { code: 'channel_not_configured', message };
}

const NOTIFIES_NOBODY: RuleWarning = {
  code: 'notifies_nobody',
  message: `The rule names no channel: nobody is notified of its alerts. Set channels, for example to ["${DEFAULT_CHANNELS}"].`,
};

const NO_DEFAULT = notConfigured(
  'No default channel is configured: nobody is notified until there is one. The first channel of a kind becomes its default.',
);
