import { CHANNEL_KINDS, type ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import { DEFAULT_CHANNELS } from '@tidewatch/contracts/rules/rule';
import type { ChosenChannel } from './plan.ts';

/** A channel of an organization, without its secrets. */
export interface KnownChannel {
  id: string;
  kind: ChannelKind;
  name: string;
  isDefault: boolean;
  state: 'enabled' | 'disabled' | 'deleted';
  /** The events that a webhook subscribed to; null for all events that rules notify of. */
  events: readonly EventType[] | null;
  /** When the settings of the channel last changed, ms. */
  changedAt: number;
}

/**
 * The channels that a rule names by id, by kind, or as `default`, each once; a missing channel has the reason. `known`
 * contains every named id, including deleted channels.
 */
export function chooseChannels(named: readonly string[], known: readonly KnownChannel[]): ChosenChannel[] {
  const chosen = new Map<string, ChosenChannel>();
  for (const name of named) {
    if (name === DEFAULT_CHANNELS) {
      for (const channel of known)
        if (channel.isDefault && channel.state !== 'deleted') chosen.set(channel.id, chosenOf(channel));
      continue;
    }
    const kind = CHANNEL_KINDS.find((each) => each === name);
    const channel = known.find((each) =>
      kind === undefined
        ? each.id === name
        : each.kind === kind && each.isDefault && each.state !== 'deleted',
    );
    if (channel !== undefined) chosen.set(channel.id, chosenOf(channel));
    else if (kind !== undefined)
      chosen.set(kind, {
        key: kind,
        kind,
        id: null,
        name: null,
        missing: 'no_default',
        events: null,
        changedAt: 0,
      });
  }
  return [...chosen.values()];
}

const MISSING = { enabled: null, disabled: 'channel_disabled', deleted: 'channel_deleted' } as const;

function chosenOf({ id, kind, name, state, events, changedAt }: KnownChannel): ChosenChannel {
  return { key: id, kind, id, name, missing: MISSING[state], events, changedAt };
}
