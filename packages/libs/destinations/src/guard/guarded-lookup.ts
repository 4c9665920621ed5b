import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

/** A destination's name, or its address, leads somewhere that may not be called. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';

  constructor(host: string) {
    super(`${host} is not a public address, and TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS does not allow it`);
  }
}

export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * What `net.connect` is to look names up with: it gets addresses that passed the guard and connects to these, so that
 * nothing is resolved a second time between check and connection.
 */
export function guardedLookup(guard: AddressGuard, resolve: Resolve = lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, '');
        return;
      }
      const addresses = found.filter(({ address }) => guard(address));
      const [first] = addresses;
      if (first === undefined) callback(new RefusedAddressError(host), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Throws RefusedAddressError for an address that may not be called; it is never looked up, so it is checked here. */
export function checkLiteral(guard: AddressGuard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !guard(address)) throw new RefusedAddressError(host);
}
