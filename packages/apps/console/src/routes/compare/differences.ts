/** What hosts have in common, and a row for each tag whose values differ. */
export interface TagDifferences {
  common: [string, string][];
  /** The name of a tag, and its value on each host in order; null where a host does not have it. */
  different: { tag: string; values: (string | null)[] }[];
}

/** Compares the tags of hosts, by name. */
export function tagDifferences(hosts: readonly { tags: Readonly<Record<string, string>> }[]): TagDifferences {
  const names = [...new Set(hosts.flatMap(({ tags }) => Object.keys(tags)))].sort();
  const differences: TagDifferences = { common: [], different: [] };
  for (const tag of names) {
    const values = hosts.map(({ tags }) => (Object.hasOwn(tags, tag) ? (tags[tag] ?? null) : null));
    const [first] = values;
    if (typeof first === 'string' && values.every((value) => value === first))
      differences.common.push([tag, first]);
    else differences.different.push({ tag, values });
  }
  return differences;
}

/** The metrics that at least two of the hosts have, those of all hosts first. */
export function sharedMetrics(hosts: readonly { metrics: Readonly<Record<string, number>> }[]): string[] {
  const counts = new Map<string, number>();
  for (const { metrics } of hosts)
    for (const metric of Object.keys(metrics)) counts.set(metric, (counts.get(metric) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count >= Math.min(2, hosts.length));
  return shared.sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en')).map(([metric]) => metric);
}
