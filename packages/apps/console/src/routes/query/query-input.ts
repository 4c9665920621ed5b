import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { splitNameAndValue } from '@tidewatch/contracts/queries/separated';

export const AGGREGATES = ['avg', 'min', 'max', 'sum', 'count', 'p5', 'p50', 'p95', 'p99'] as const;

export type Aggregate = (typeof AGGREGATES)[number];

/** What the page groups by besides a tag. */
export const GROUPINGS = [
  ['', 'a tag, if any'],
  ['host', 'host'],
  ['part', 'part'],
  ['kind', 'kind of part'],
  ['subject', 'none: each by itself'],
] as const;

/** The steps that the page offers, seconds; without a choice the step suits the width of the chart. */
export const STEPS: readonly [number, string][] = [
  [10, '10 s'],
  [60, '1 min'],
  [300, '5 min'],
  [3_600, '1 h'],
  [86_400, '1 d'],
];

/** The body of a query by the URL of the page, without its range and step; undefined without a metric. */
export function queryInput({ metric, hosts, tag, part, aggregate, by, group_by, top }: PageSearch<'query'>) {
  if (metric === undefined) return undefined;
  const tags: Record<string, string[]> = {};
  for (const text of tag ?? []) {
    const filter = splitNameAndValue(text);
    if (filter === undefined) continue;
    tags[filter.name] ??= [];
    tags[filter.name]?.push(filter.value);
  }
  return {
    metric,
    selector: {
      ...(hosts && { hosts: [...hosts] }),
      ...(Object.keys(tags).length > 0 && { tags }),
      ...(part && { part: [...part] }),
    },
    aggregate: aggregateOf(aggregate),
    // The API takes one way to group: a tag that was written counts.
    by: group_by === undefined ? (by ?? null) : null,
    group_by: group_by ?? null,
    top: top ?? null,
  };
}

export function aggregateOf(text: string | undefined): Aggregate {
  return AGGREGATES.find((each) => each === text) ?? 'avg';
}

/** The entries of a field with commas between; undefined where it has none. */
export function entriesOf(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length === 0 ? undefined : [...new Set(entries)];
}

/** The tags of a field, `name=value` with commas between, as a URL has them; undefined where it has none. */
export function tagsOf(text: string): string[] | undefined {
  return entriesOf(text)?.map((entry) => {
    const [name = '', ...value] = entry.split('=');
    return value.length === 0 ? entry : `${name.replaceAll(/[\\:]/g, '\\$&')}:${value.join('=')}`;
  });
}

/** The text of the field of tags for those of a URL. */
export function tagsText(tags: readonly string[] | undefined): string {
  return (tags ?? [])
    .map((tag) => {
      const filter = splitNameAndValue(tag);
      return filter === undefined ? tag : `${filter.name}=${filter.value}`;
    })
    .join(', ');
}
