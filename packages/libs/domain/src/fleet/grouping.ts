/** A host, or a part of one, as far as groups are made of it. */
export interface Groupable {
  host: string;
  tags: Readonly<Record<string, string>>;
  /** Null for the host itself. */
  part: { kind: string; name: string } | null;
}

/**
 * What series are grouped by: nothing (`all`), a tag of the host, its name, the kind of the part, its kind and name over all hosts,
 * or nothing that two of them share (`subject`).
 */
export type Grouping = 'all' | 'host' | 'kind' | 'part' | 'subject' | { tag: string };

/** A group of series. `group` names it, null for all and for hosts without the tag; host and part are those that all of it has. */
export interface SeriesGroup {
  /** Differs from that of every other group. */
  key: string;
  group: string | null;
  host: string | null;
  part: string | null;
}

/** No text of a payload has this character. */
const BETWEEN = '\0';

/** The group that a host, or a part of one, belongs to. */
export function groupOf(grouping: Grouping, { host, tags, part }: Groupable): SeriesGroup {
  const subject = part === null ? null : `${part.kind}:${part.name}`;
  if (typeof grouping !== 'string') {
    const value = Object.hasOwn(tags, grouping.tag) ? (tags[grouping.tag] as string) : null;
    return group(value, null, null);
  }
  switch (grouping) {
    case 'host':
      return group(host, host, null);
    case 'kind':
      return group(part?.kind ?? 'host', null, null);
    case 'part':
      return group(subject, null, subject);
    case 'subject':
      return group(subject === null ? host : `${host} ${subject}`, host, subject);
    case 'all':
      return group(null, null, null);
  }
}

function group(name: string | null, host: string | null, part: string | null): SeriesGroup {
  return { key: [name, host, part].join(BETWEEN), group: name, host, part };
}
