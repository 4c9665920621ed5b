import type { Router } from 'express';

interface Layer {
  match(path: string): boolean;
  route?: { path: unknown; methods: Record<string, boolean> };
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

/**
 * The methods of every path that a route spells out in full. Such a path is that route's alone: `/rules/starter` is
 * never the rule whose id is `starter`, though the pattern of `/rules/:id` matches it.
 */
export function literalPaths(routers: readonly Router[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { stack } of routers) {
    for (const { route } of stack as unknown as Layer[]) {
      // biome-ignore lint/plugin: Express tells routes for all methods apart by nothing else
      if (typeof route?.path !== 'string' || route.methods._all || /[:*{]/.test(route.path)) continue;
      paths.set(route.path, listed([...(paths.get(route.path) ?? []), ...methodsOf(route)]));
    }
  }
  return paths;
}

/** The methods, in upper case, that these routers' own routes take at `path`; empty where no route has it. */
export function allowedMethods(routers: readonly Router[], path: string): string[] {
  const methods = new Set<string>();
  for (const router of routers) {
    for (const layer of router.stack as unknown as Layer[]) {
      if (layer.route === undefined || !matches(layer, path)) continue;
      for (const method of methodsOf(layer.route)) methods.add(method);
    }
  }
  return listed(methods);
}

function methodsOf(route: { methods: Record<string, boolean> }): string[] {
  return Object.keys(route.methods).map((method) => method.toUpperCase());
}

function listed(given: Iterable<string>): string[] {
  const methods = new Set(given);
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
