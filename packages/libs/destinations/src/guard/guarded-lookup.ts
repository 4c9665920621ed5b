import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

/** An address, given as such, may not be called. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';

  constructor(host: string) {
    super(`${host} is not a public address, and TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS does not allow it`);
  }
}

/**
 * A name leads to no address that may be called. Whether it is unknown or leads into an inner network is said by `reason`
 * alone, which is for the operator: others could find out names of that network.
 */
export class UnusableNameError extends Error {
  override name = 'UnusableNameError';
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`${host} leads to no address that may be called`);
    this.reason = reason;
  }
}

/** When a look-up that failed is answered: times, too, would tell names that are known nearby from others. */
const FAILED_LOOKUP_MS = 1_000;

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
    const began = performance.now();
    const fail = (reason: string) => {
      const left = Math.max(0, FAILED_LOOKUP_MS - (performance.now() - began));
      setTimeout(() => callback(new UnusableNameError(host, reason), ''), left);
    };
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return fail(error.code ?? error.message);
      const addresses = found.filter(({ address }) => guard(address));
      const [first] = addresses;
      if (first === undefined) fail('no public address');
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
