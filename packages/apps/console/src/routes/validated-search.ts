import type { RawSearch } from '@tidewatch/contracts/console/parameters';
import { type PageName, type PageSearch, readPageSearch } from '@tidewatch/contracts/console/paths';
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
