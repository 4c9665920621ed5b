import type { Schema } from '@tidewatch/api-client/schema';

/** Groups the patterns of each tag. */
export function gatherTags(entries: readonly (readonly [string, string])[]): Record<string, string[]> {
  const tags: Record<string, string[]> = {};
  for (const [name, pattern] of entries) tags[name] = [...(tags[name] ?? []), pattern];
  return tags;
}

/** The patterns of hosts and tags of a selector as text. */
export function describeSelector({ hosts = [], tags = {} }: Schema<'Selector'>): string[] {
  return [
    ...hosts,
    ...Object.entries(tags).map(([name, patterns]) => `${name}=${[patterns].flat().join('|')}`),
  ];
}
