import { useCallback, useState } from 'react';

const PREFIX = 'tidewatch.text.';

/**
 * A text that somebody types and has not saved yet. It is kept in this tab until it is saved, also where the page is left
 * meanwhile; null while it is as stored.
 */
export function useKeptText(key: string): [text: string | null, keep: (text: string | null) => void] {
  const [text, setText] = useState(() => read(PREFIX + key));
  const keep = useCallback(
    (next: string | null) => {
      setText(next);
      write(PREFIX + key, next);
    },
    [key],
  );
  return [text, keep];
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    // A browser may refuse storage; the text then lives as long as the page.
    return null;
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // As above.
  }
}
