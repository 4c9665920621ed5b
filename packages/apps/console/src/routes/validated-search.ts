import { type RawSearch, readSearch, writeSearch } from '@tidewatch/contracts/console/parameters';
import { type PageName, type PageSearch, pageAt, readPageSearch } from '@tidewatch/contracts/console/paths';
import { noteDropped } from './dropped-parameters.ts';

/** The valid parameters of a page, of a URL or of a link; invalid ones are dropped, and a notice names them. */
export function validatedSearch<Name extends PageName>(
  name: Name,
  given: Readonly<Record<string, unknown>>,
): PageSearch<Name> {
  const { values, invalid } = readPageSearch(name, asRaw(given));
  if (invalid.length > 0) noteDropped(name, invalid);
  return values;
}

/**
 * The address without what its page ignores, written as links are; null where it is so already. The router would replace the
 * address, too, but only after it has given the page its parameters as they are.
 */
export function validAddress({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null {
  const page = pageAt(pathname);
  if (page === undefined) return null;
  const valid = writeSearch(validatedSearch(page.name, readSearch(search)));
  return valid === search ? null : pathname + valid + hash;
}

/** Links give values by their types, URLs give texts: both become texts. */
function asRaw(given: Readonly<Record<string, unknown>>): RawSearch {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return [name, values.map((each) => (each === true ? '1' : String(each)))];
    }),
  );
}
