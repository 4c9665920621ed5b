import { isIP } from 'node:net';
import type { Fault } from '@tidewatch/contracts/values/problem';
import { createAddressGuard } from '@tidewatch/destinations/guard/address-guard';

/** Fields of channels that hold an address which is called. */
const FIELDS = ['webhook_url', 'url', 'api_url'] as const;

/**
 * Finds the addresses in a channel's configuration that every delivery would be refused for: private ones that `allowPrivate`
 * does not let pass. Names, localhost too, are resolved when something is sent, and not here: an answer would tell which names
 * the inner network knows. Fields that are the same in `former` pass, so that a channel can be edited that was made before.
 */
export function createPrivateDestinationCheck(allowPrivate: boolean | readonly string[]) {
  const mayCall = createAddressGuard(allowPrivate);
  return (config: object, former: object = {}): Fault[] =>
    FIELDS.flatMap((field) => {
      const text = (config as Record<string, unknown>)[field];
      if (typeof text !== 'string' || text === (former as Record<string, unknown>)[field]) return [];
      const host = new URL(text).hostname.replace(/^\[|\]$|\.$/g, '');
      if (isIP(host) === 0 || mayCall(host)) return [];
      const message = `${host} is not a public address: deliveries to it are refused. TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS allows it.`;
      return [{ in: 'body' as const, path: `/config/${field}`, code: 'private_destination', message }];
    });
}
