import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

/** The kinds of channels. */
export const CHANNEL_KINDS = ['slack', 'email', 'webhook', 'pagerduty'] as const;

/** Builds the configuration of a channel from its destinations. Throws UsageError for too many destinations. */
export function readConfig(
  kind: (typeof CHANNEL_KINDS)[number],
  destinations: readonly string[],
): Record<string, unknown> {
  if (kind === 'email') return { to: destinations.flatMap((each) => each.split(',')) };
  const [destination] = destinations;
  if (destinations.length > 1)
    throw new UsageError(`a channel of the kind ${kind} takes exactly one destination`);
  if (kind === 'slack') return { webhook_url: destination };
  return kind === 'webhook' ? { url: destination } : { routing_key: destination };
}
