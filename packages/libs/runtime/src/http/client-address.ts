import { isIP, SocketAddress } from 'node:net';

/** Decides if the proxy at this address, `hop` proxies away, is trusted to name its client. */
export type Trusts = (address: string, hop: number) => boolean;

/**
 * The address of a client: the peer's, or what trusted proxies name in X-Forwarded-For (joined by commas, nearest last).
 * Where one names something that is no address (`unknown`, a host name), the request counts as that proxy's own.
 * The header `Forwarded` is not read.
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

/** The one spelling of an address: without port, brackets, zone or mapping, in lower case; null where it is none. */
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
