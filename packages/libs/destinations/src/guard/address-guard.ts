import ipaddr from 'ipaddr.js';

/** Whether a destination may be called at an address, as a resolver or a URL spells it. */
export type AddressGuard = (address: string) => boolean;

/**
 * Lets public addresses pass, and besides them what `allowPrivate` says: everything, or these networks (CIDR). An IPv4
 * address within an IPv6 one that the system connects to as IPv4 counts as what it is; forms that are translated on the
 * way (NAT64, 6to4, Teredo) count as private, since what they lead to is decided elsewhere. Throws RangeError where a
 * network is none.
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

/** IPv6 has given out 2000::/3 alone, so the rest is refused even where no registry names it. */
const GLOBAL_IPV6 = network('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function network(text: string): Network {
  if (!ipaddr.isValidCIDR(text)) throw new RangeError(`${text} is no network, as 10.0.0.0/8 is one.`);
  return ipaddr.parseCIDR(text);
}

function contains(within: Network, address: Address): boolean {
  return address.kind() === within[0].kind() && address.match(within);
}
