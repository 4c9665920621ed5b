import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

/** The destination is given as an IP address that may not be called. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';

  constructor(host: string) {
    super(`${host} is not a public address, and TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS does not allow it`);
  }
}

/**
 * A name does not resolve to an address that may be called. Only `reason` says whether it is unknown or has private
 * addresses, and only the operator sees it, so that tenants cannot discover names of the internal network.
 */
export class UnusableNameError extends Error {
  override name = 'UnusableNameError';
  readonly host: string;
  readonly reason: string;

  constructor(host: string, reason: string) {
    super(`${host} does not resolve to an address that may be called`);
    this.host = host;
    this.reason = reason;
  }
}

/** The min duration of a failed lookup, because its duration would reveal which names the internal network knows. */
const MIN_FAILED_LOOKUP_MS = 1_000;

export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The lookup function for `net.connect`. It returns only addresses that the guard allows, and the connection uses them: a
 * name cannot resolve to another address between check and connection (DNS rebinding).
 */
export function guardedLookup(guard: AddressGuard, resolve: Resolve = lookup): LookupFunction {
  return (host, options, callback) => {
    const began = performance.now();
    const fail = (reason: string) => {
      const left = Math.max(0, MIN_FAILED_LOOKUP_MS - (performance.now() - began));
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

/** Throws RefusedAddressError if `host` is an IP address that may not be called; such hosts are never looked up. */
export function checkLiteral(guard: AddressGuard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !guard(address)) throw new RefusedAddressError(host);
}
