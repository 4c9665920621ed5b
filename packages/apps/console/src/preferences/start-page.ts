import { pathOf } from '@tidewatch/contracts/console/paths';
import { preferences } from './preferences.ts';

/** The path of the page that the user prefers to begin with. */
export function startPath(): string {
  return pathOf(preferences().start, {});
}

/**
 * Where a visit leads whose address names no page; null where the address stays. A reload, Back and a link with parameters keep
 * the page that they name. `navigation` is the type of the browser's navigation.
 */
export function startRedirect(
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
  navigation: string | undefined,
): string | null {
  if (pathname !== '/' || search !== '' || hash !== '' || navigation !== 'navigate') return null;
  const path = startPath();
  return path === '/' ? null : path;
}
