import { isIP, SocketAddress } from 'node:net';

/** Decides whether the proxy at this address, `hop` proxies away from us, is trusted to name its client. */
export type Trusts = (address: string, hop: number) => boolean;

/**
 * The address of a client: that of the peer, or what trusted proxies report in X-Forwarded-For (comma-separated, nearest
 * last). If an entry is no address (`unknown`, a host name), the request counts as the proxy's own. The header `Forwarded`
 * is not read.
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | string[] | undefined,
  trusts: Trusts,
): string | undefined {
  if (peer === undefined) return undefined;
  let address = withoutMapping(peer);
  if (forwarded === undefined) return address;
  const header = typeof forwarded === 'string' ? forwarded : forwarded.join(',');
  let end = header.length;
  for (let hop = 0; end >= 0 && trusts(address, hop); hop += 1) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
    const named = normalAddress(header.slice(comma + 1, end));
    if (named === null) break;
    address = named;
    end = comma;
  }
  return address;
}

const MAPPED = '::ffff:';

/** Returns an IPv4 address without the prefix `::ffff:`, which Node adds on a socket for IPv4 and IPv6. */
function withoutMapping(address: string): string {
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;
}

/** Normalizes an address: lower case, without port, brackets, zone or IPv4 mapping; null if it is no address. */
export function normalAddress(text: string): string | null {
  const given = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(given);
  const bare = bracketed?.[1] ?? given.replace(/^([\d.]+):\d{1,5}$/, '$1');
  const zoneless = bare.replace(/%.*$/, '');
  const family = isIP(zoneless);
  if (family === 0 || (bracketed !== null && family !== 6)) return null;
  if (family === 4) return zoneless;
  return withoutMapping(new SocketAddress({ address: zoneless, family: 'ipv6' }).address);
}
