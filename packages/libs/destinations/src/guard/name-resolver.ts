import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolve } from './guarded-lookup.ts';

export interface NameResolverOptions {
  /** The name servers, such as `127.0.0.1:53`. Default: those of the system. */
  servers?: readonly string[];
  /** Default: /etc/hosts. */
  hostsFile?: string;
  /** Default: /etc/resolv.conf. Only its search domains are read. */
  resolvConf?: string;
  /** Timeout of the first query to a name server, ms; that of the retry is twice as long. Default 2,000. */
  timeoutMs?: number;
}

/** The time for which addresses and the contents of both files are cached, ms. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 10_000;
/** The time to wait for IPv6 addresses once the IPv4 addresses have arrived, ms. */
const IPV6_GRACE_MS = 200;
const MAX_SEARCH_DOMAINS = 6;
/** The DNS error codes of a name that does not exist or has no such address; the next search domain is tried then. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves names that tenants chose by DNS queries, which occupy no thread: `dns.lookup` would hold one of libuv's two
 * lookup threads, so that two hanging names would block all others. Names in the hosts file go to the system's lookup.
 */
export function createNameResolver(options: NameResolverOptions = {}): Resolve {
  const { servers, hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', timeoutMs = 2_000 } = options;
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const cache = new Map<string, { at: number; found: Promise<LookupAddress[]> }>();
  let files: { at: number; read: Promise<Files> } | null = null;

  function readFiles(): Promise<Files> {
    const now = performance.now();
    if (files === null || now - files.at >= CACHE_TTL_MS)
      files = {
        at: now,
        read: Promise.all([read(hostsFile), read(resolvConf)]).then(([hosts, conf]) => ({
          names: namesOf(hosts),
          search: searchDomainsOf(conf),
        })),
      };
    return files.read;
  }

  async function addressesOf(name: string, family: number): Promise<LookupAddress[]> {
    const ipv6 = family === 4 ? Promise.resolve([]) : ask(() => resolver.resolve6(name), 6);
    ipv6.catch(() => undefined);
    if (family === 6) return ipv6;
    const ipv4 = await ask(() => resolver.resolve4(name), 4).catch((error: unknown) => error);
    if (!Array.isArray(ipv4)) {
      if (family === 4) throw ipv4;
      return ipv6;
    }
    const more = await Promise.race([ipv6.catch(() => []), sleep(IPV6_GRACE_MS, [], { ref: false })]);
    return [...ipv4, ...more];
  }

  async function resolve(host: string, family: number): Promise<LookupAddress[]> {
    const { names, search } = await readFiles();
    const name = host.toLowerCase().replace(/\.$/, '');
    if (isIP(name) !== 0 || isLocal(name) || names.has(name)) return systemLookup(host, family);
    const qualified = host.endsWith('.') ? [] : search.map((domain) => `${name}.${domain}`);
    const candidates = name.includes('.') ? [name, ...qualified] : [...qualified, name];
    let failure: unknown;
    for (const candidate of candidates) {
      try {
        return await addressesOf(candidate, family);
      } catch (error) {
        failure ??= error;
        if (!NOT_FOUND.has((error as NodeJS.ErrnoException).code)) throw error;
      }
    }
    throw failure;
  }

  function find(host: string, family: number): Promise<LookupAddress[]> {
    const key = `${family}/${host}`;
    const now = performance.now();
    const known = cache.get(key);
    if (known !== undefined && now - known.at < CACHE_TTL_MS) return known.found;
    const found = resolve(host, family);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, { at: now, found });
    // Removes failures from the cache.
    found.catch(() => {
      if (cache.get(key)?.found === found) cache.delete(key);
    });
    return found;
  }

  return (host, { family }, callback) => {
    find(host, family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0).then(
      (found) => callback(null, found),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

interface Files {
  /** All names in the hosts file. */
  names: ReadonlySet<string>;
  search: readonly string[];
}

async function ask(query: () => Promise<string[]>, family: 4 | 6): Promise<LookupAddress[]> {
  return (await query()).map((address) => ({ address, family }));
}

function systemLookup(host: string, family: number): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, family }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/, '')
        .trim()
        .toLowerCase()
        .split(/\s+/),
    )
    .filter(([first]) => first !== '');
}

function namesOf(hosts: string): Set<string> {
  return new Set(linesOf(hosts).flatMap(([, ...names]) => names));
}

function searchDomainsOf(conf: string): string[] {
  const [, ...domains] = linesOf(conf).findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return domains.filter((domain) => domain !== '.').slice(0, MAX_SEARCH_DOMAINS);
}
