import type { Selector } from '@tidewatch/contracts/rules/rule';
import { compilePatterns } from './pattern.ts';

export type SelectorTest = (host: string, tags: Readonly<Record<string, string>>) => boolean;

/**
 * A test of hosts: every key given must match, any entry of a list may, `*` is any run of characters.
 * An empty list asks for nothing, as if its key were absent; `{}` matches every host.
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
