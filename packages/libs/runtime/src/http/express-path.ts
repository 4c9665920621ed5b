/** Converts a path of the contract, `/rules/{id}`, to Express' form, `/rules/:id`. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
