import type { Schema } from '@tidewatch/api-client/schema';

/** Patterns of one tag belong together. */
export function gatherTags(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const tags: Record<string, string[]> = {};
  for (const [name, pattern] of pairs) tags[name] = [...(tags[name] ?? []), pattern];
  return tags;
}

/** What a selector asks for, a word for each pattern of hosts and each tag. */
export function describeSelector({ hosts = [], tags = {} }: Schema<'Selector'>): string[] {
  return [
    ...hosts,
    ...Object.entries(tags).map(([name, patterns]) => `${name}=${[patterns].flat().join('|')}`),
  ];
}
