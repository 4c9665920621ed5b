/** JSON with < and > escaped, so that no content can look like the end of a block, or like markup. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u003e'));
}
