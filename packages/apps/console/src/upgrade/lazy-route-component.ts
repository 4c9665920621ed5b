import { lazyRouteComponent as lazyOfRouter } from '@tanstack/react-router';
import { loadPart } from './load-part.ts';

/** A page that is loaded when somebody is about to open it, as the router's function does; it waits for a server that is away. */
export function lazyRouteComponent<
  Module extends Record<string, unknown>,
  Name extends keyof Module & string,
>(load: () => Promise<Module>, name: Name) {
  return lazyOfRouter(() => loadPart(load), name);
}
