/** `…` itself, as UTF-8 that was read as Latin-1 (headers of Node), and as an address encodes it. */
const ELLIPSIS = /\u2026|\u00e2\u0080\u00a6|%E2%80%A6/i;
/** `…`, `tw_…`, an address with `…`, `...`, `tw_...`, `<API_KEY>`, `https://<host>`. Prose may contain `…`. */
const EXAMPLE = /^…$|^\w+_…|^https?:\S*…|\/…|^(?:\w+_)?\.{3}$|^<[A-Za-z _-]+>$|^https?:\/\/\S*<[A-Za-z _-]+>/;

/** Whether a text holds the `…` of an example, for texts that never hold one else: keys, paths, addresses. */
export function holdsEllipsis(text: string): boolean {
  return ELLIPSIS.test(text);
}

/** Whether a text is what an example has in place of an id, an address or a key. */
export function isPlaceholder(text: string): boolean {
  return EXAMPLE.test(text);
}

/** The fault of such a text; masked values, which responses have in place of secrets, have the same form. */
export const PLACEHOLDER_MESSAGE =
  'Is the placeholder of an example, or a masked value. Replace it with the complete value.';

/** Whether this is a placeholder for a key. */
export function isPlaceholderKey(text: string): boolean {
  return holdsEllipsis(text) || isPlaceholder(text);
}
