import { isIP } from 'node:net';
import type { Fault } from '@tidewatch/contracts/problems/problem';
import { createAddressGuard } from '@tidewatch/destinations/guard/address-guard';

/** The fields of channels whose addresses are called. */
const FIELDS = ['webhook_url', 'url', 'api_url'] as const;

/**
 * Finds private addresses in a channel's configuration that `allowPrivate` does not include, so that every delivery would
 * be refused. Names are resolved only at delivery, because a response would reveal names of the internal network. Fields
 * that have not changed since `former` are accepted.
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
