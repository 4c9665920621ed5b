/** An HTTP method and a path; parameters of the path are in braces, as in the routes of the contract. */
export interface Endpoint {
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
}

/**
 * The methods of every path without parameters. Such a path matches no other endpoint: `/rules/starter` is never treated as
 * `/rules/{id}`.
 */
export function literalPaths(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> {
  const literal = endpoints.filter(({ path }) => !path.includes('{'));
  const byPath = Map.groupBy(literal, ({ path }) => path);
  return new Map([...byPath].map(([path, same]) => [path, methodsOf(same)]));
}

/** The methods, in upper case and sorted, of the endpoints that match `path`; empty if there are none. */
export function allowedMethods(endpoints: readonly Endpoint[], path: string): string[] {
  return methodsOf(endpoints.filter((endpoint) => fits(endpoint.path, path)));
}

function fits(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const given = path.split('/');
  if (expected.length !== given.length) return false;
  return expected.every((segment, index) =>
    segment.startsWith('{') ? given[index] !== '' : segment === given[index],
  );
}

function methodsOf(endpoints: readonly Endpoint[]): string[] {
  const methods = new Set(endpoints.map(({ method }) => method.toUpperCase()));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
