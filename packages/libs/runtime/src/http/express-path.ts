/** A path of the contract, `/rules/{id}`, as Express spells it, `/rules/:id`. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
