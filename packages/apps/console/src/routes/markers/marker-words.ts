import type { Schema } from '@tidewatch/api-client/schema';
import { visibleText } from '../../components/visible-text.ts';
import { writeTags } from '../../form/fields.tsx';

export type Marker = Schema<'Marker'>;

/** The hosts that a marker concerns, in one line. */
export function selectorText({ hosts = [], tags = {} }: Marker['selector']): string {
  const written = writeTags(tags as Record<string, string | string[]>);
  const parts = [...(hosts.length > 0 ? [hosts.join(', ')] : []), ...(written === '' ? [] : [written])];
  return parts.length === 0 ? 'all hosts' : visibleText(parts.join('; '));
}

/** What else a marker says: "version=1.4.2". */
export function tagsText(tags: Marker['tags']): string {
  const parts = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return visibleText(parts.join(', '));
}
