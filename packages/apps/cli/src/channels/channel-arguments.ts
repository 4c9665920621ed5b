import { CHANNEL_KIND_FACTS, type ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

/** Builds the configuration of a channel from its destinations. Throws UsageError for too many destinations. */
export function readConfig(kind: ChannelKind, destinations: readonly string[]): Record<string, unknown> {
  const { field, isList } = CHANNEL_KIND_FACTS[kind].shorthand;
  if (isList) return { [field]: destinations.flatMap((each) => each.split(',')) };
  if (destinations.length > 1)
    throw new UsageError(`a channel of the kind ${kind} takes exactly one destination`);
  return { [field]: destinations[0] };
}
