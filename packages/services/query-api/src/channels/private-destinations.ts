import { isIP } from 'node:net';
import type { Fault } from '@tidewatch/contracts/values/problem';
import { createAddressGuard } from '@tidewatch/destinations/guard/address-guard';

/** Fields of channels that hold an address which is called. */
const FIELDS = ['webhook_url', 'url', 'api_url'] as const;

/**
 * Finds the addresses in a channel's configuration that every delivery would be refused for: private ones that `allowPrivate`
 * does not let pass, spelled out or as localhost. Names are resolved when something is sent, and not here. Fields that are the
 * same in `former` pass, so that a channel can be edited that was made before.
 */
export function createPrivateDestinationCheck(allowPrivate: boolean | readonly string[]) {
  const mayCall = createAddressGuard(allowPrivate);
  return (config: object, former: object = {}): Fault[] =>
    FIELDS.flatMap((field) => {
      const text = (config as Record<string, unknown>)[field];
      if (typeof text !== 'string' || text === (former as Record<string, unknown>)[field]) return [];
      const host = new URL(text).hostname.replace(/^\[|\]$|\.$/g, '');
      const addresses = host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : [host];
      if (isIP(addresses[0] as string) === 0 || addresses.some(mayCall)) return [];
      const message = `${host} is not a public address: deliveries to it are refused. TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS allows it.`;
      return [{ in: 'body' as const, path: `/config/${field}`, code: 'private_destination', message }];
    });
}
