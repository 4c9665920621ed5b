import type { Selector } from '@tidewatch/contracts/rules/rule';
import { compilePatterns } from './pattern.ts';

export type SelectorTest = (host: string, tags: Readonly<Record<string, string>>) => boolean;

/**
 * Compiles a selector of hosts: every given key must match with one of its entries, in which `*` matches any characters. An
 * empty list matches all hosts, as a missing key does; `{}` matches every host.
 */
export function compileSelector(selector: Selector): SelectorTest {
  const hosts = selector.hosts && selector.hosts.length > 0 ? compilePatterns(selector.hosts) : null;
  const tags: { name: string; matches: (text: string) => boolean }[] = [];
  for (const [name, wanted] of Object.entries(selector.tags ?? {})) {
    const patterns = typeof wanted === 'string' ? [wanted] : wanted;
    if (patterns.length > 0) tags.push({ name, matches: compilePatterns(patterns) });
  }
  return (host, tagsOfHost) => {
    if (hosts !== null && !hosts(host)) return false;
    for (const { name, matches } of tags) {
      if (!Object.hasOwn(tagsOfHost, name) || !matches(tagsOfHost[name] as string)) return false;
    }
    return true;
  };
}
