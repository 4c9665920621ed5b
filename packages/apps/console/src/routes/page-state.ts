import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { PageName, PageSearch } from '@tidewatch/contracts/console/paths';
import { useCallback } from 'react';

/** The parameters of the page in the URL, which are its state. */
export function usePageSearch<Name extends PageName>(_name: Name): PageSearch<Name> {
  return useSearch({ strict: false }) as PageSearch<Name>;
}

/**
 * Changes parameters of the page; undefined removes one. A click that changes the question adds an entry to the history.
 * Typing and live updates replace the entry: `{ replace: true }`.
 */
export function useSetPageSearch<Name extends PageName>(_name: Name) {
  const navigate = useNavigate();
  return useCallback(
    (changes: PageSearch<Name>, { replace = false }: { replace?: boolean } = {}) =>
      navigate({
        to: '.',
        search: ((former: object) => ({ ...former, ...changes })) as never,
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
}

/** The id in the path of the page. */
export function usePageId(): string {
  const { id } = useParams({ strict: false }) as { id?: string };
  if (id === undefined) throw new Error('this page has no id in its path');
  return id;
}
