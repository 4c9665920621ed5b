/** Matches `…` as itself, as UTF-8 read as Latin-1 (as Node reads headers), and percent-encoded as in a URL. */
const ELLIPSIS = /\u2026|\u00e2\u0080\u00a6|%E2%80%A6/i;
/**
 * Matches placeholders of examples: `…`, `tw_…`, an address with `…`, `...`, `tw_...`, `<API_KEY>`, `https://<host>`. Prose
 * may contain `…`.
 */
const EXAMPLE = /^…$|^\w+_…|^https?:\S*…|\/…|^(?:\w+_)?\.{3}$|^<[A-Za-z _-]+>$|^https?:\/\/\S*<[A-Za-z _-]+>/;

/** Whether a key, path or address contains `…`, which only texts copied from an example do. */
export function holdsEllipsis(text: string): boolean {
  return ELLIPSIS.test(text);
}

/** Whether a text is a placeholder that an example shows instead of a real id, address or key. */
export function isPlaceholder(text: string): boolean {
  return EXAMPLE.test(text);
}

/**
 * The message about a placeholder of an example. Masked values, which responses contain instead of secrets, look the same.
 */
export const PLACEHOLDER_MESSAGE =
  'Is the placeholder of an example, or a masked value. Replace it with the complete value.';

/** Whether a text is a placeholder that an example shows instead of a real API key. */
export function isPlaceholderKey(text: string): boolean {
  return holdsEllipsis(text) || isPlaceholder(text);
}
