import { isIP } from 'node:net';
import type { Fault } from '@tidewatch/contracts/problems/problem';
import { createAddressGuard } from '@tidewatch/destinations/guard/address-guard';

/** The fields of channels with an address that is called. */
const FIELDS = ['webhook_url', 'url', 'api_url'] as const;

/**
 * Finds the addresses in a channel's configuration to which every delivery would be refused: private ones that `allowPrivate`
 * does not cover. Names, localhost too, are resolved at delivery and not here, since a response would reveal names of the
 * internal network. Fields that are the same in `former` are accepted, so that existing channels can be edited.
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
