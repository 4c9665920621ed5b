import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolve } from './guarded-lookup.ts';

export interface NameResolverOptions {
  /** Name servers, as `127.0.0.1:53`. Default: those of the system. */
  servers?: readonly string[];
  /** Default: /etc/hosts. */
  hostsFile?: string;
  /** Default: /etc/resolv.conf; of it only the search domains are read. */
  resolvConf?: string;
  /** How long a name server has for its first answer, ms; for the second it has twice as long. Default 2,000. */
  timeoutMs?: number;
}

/** A name is asked for again after so long, ms, and the files are read again. */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;
/** IPv6 addresses are waited for so much longer than IPv4 ones, ms. */
const IPV6_LATER_MS = 200;
const MAX_SEARCH_DOMAINS = 6;
/** The name does not exist, or not with such an address: another spelling of it may. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves names that others chose. `dns.lookup` would take a thread of libuv's pool for as long as a name server does not
 * answer; there are two for all look-ups of a process, so two names that hang hold all others up. These ask by DNS, without
 * threads. What the hosts file names is looked up as the system does, which answers it from there.
 */
export function createNameResolver(options: NameResolverOptions = {}): Resolve {
  const { servers, hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', timeoutMs = 2_000 } = options;
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const kept = new Map<string, { at: number; found: Promise<LookupAddress[]> }>();
  let files: { at: number; read: Promise<Files> } | null = null;

  function readFiles(): Promise<Files> {
    const now = performance.now();
    if (files === null || now - files.at >= KEPT_MS)
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
    const more = await Promise.race([ipv6.catch(() => []), sleep(IPV6_LATER_MS, [], { ref: false })]);
    return [...ipv4, ...more];
  }

  async function resolve(host: string, family: number): Promise<LookupAddress[]> {
    const { names, search } = await readFiles();
    const name = host.toLowerCase().replace(/\.$/, '');
    if (isIP(name) !== 0 || isLocal(name) || names.has(name)) return systemLookup(host, family);
    const longer = host.endsWith('.') ? [] : search.map((domain) => `${name}.${domain}`);
    const spellings = name.includes('.') ? [name, ...longer] : [...longer, name];
    let failure: unknown;
    for (const spelling of spellings) {
      try {
        return await addressesOf(spelling, family);
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
    const known = kept.get(key);
    if (known !== undefined && now - known.at < KEPT_MS) return known.found;
    const found = resolve(host, family);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, { at: now, found });
    // What failed is asked for again the next time.
    found.catch(() => {
      if (kept.get(key)?.found === found) kept.delete(key);
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
  /** Every name of the hosts file. */
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
