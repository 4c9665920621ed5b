import ipaddr from 'ipaddr.js';

/** Returns whether a destination may be called at an IP address. */
export type AddressGuard = (address: string) => boolean;

/**
 * Allows public addresses and, by `allowPrivate`, every address or those of some networks (CIDR). An IPv4-mapped IPv6
 * address counts as its IPv4 address; addresses that others translate (NAT64, 6to4, Teredo) count as private. Throws
 * RangeError if a network is not in CIDR notation.
 */
export function createAddressGuard(allowPrivate: boolean | readonly string[]): AddressGuard {
  if (allowPrivate === true) return () => true;
  const networks = allowPrivate === false ? [] : allowPrivate.map(network);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isPublic(address) || networks.some((each) => contains(each, address));
  };
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [base: Address, bits: number];

/** The only range of IPv6 that is assigned as global unicast; every other address is refused. */
const GLOBAL_IPV6 = network('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function network(text: string): Network {
  if (!ipaddr.isValidCIDR(text))
    throw new RangeError(`${text} is not a network in CIDR notation, such as 10.0.0.0/8`);
  return ipaddr.parseCIDR(text);
}

function contains(within: Network, address: Address): boolean {
  return address.kind() === within[0].kind() && address.match(within);
}
