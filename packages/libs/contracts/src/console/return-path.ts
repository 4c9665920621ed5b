import { isServed, pageAt } from './paths.ts';

/** Max length of the page that a sign-in leads to: it is kept in a cookie, and browsers take 4 KiB of one. */
export const MAX_RETURN_PATH = 2_000;

const BASE = 'http://console.invalid';

/**
 * The page that a sign-in leads to, as a path of this origin with its query and fragment, spelled as browsers do. Undefined for
 * whatever might lead elsewhere, and for paths that are no page of the console.
 */
export function returnPath(to: string): string | undefined {
  if (!to.startsWith('/') || !URL.canParse(to, BASE)) return undefined;
  const { origin, pathname, search, hash } = new URL(to, BASE);
  const page = pageAt(pathname);
  // The path of "/.//evil.example" is "//evil.example", which browsers take for another host; no page has such a path.
  if (origin !== BASE || page === undefined || !isServed(page.name)) return undefined;
  return pathname + search + hash;
}
