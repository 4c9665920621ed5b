import { type ComponentType, lazy } from 'react';
import { noteUpgrade } from './upgrade-state.ts';

/** How long a part waits before it is asked for again while the server is away, ms. */
const RETRY_MS = 2_000;

/**
 * Loads a module of the console. While the server is away it waits, so that what is on the page stays. After an upgrade it
 * never resolves: the page is loaded again, or offers that.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      const build = await servedBuild();
      if (build === 'own') throw error;
      if (build === 'other') {
        noteUpgrade();
        return new Promise<T>(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** A component that is loaded when it is first shown. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await loadPart(load))[name] }));
}

/** Whether the server has the build that this page was loaded from. */
async function servedBuild(): Promise<'own' | 'other' | 'none'> {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    if (!response.ok) return 'none';
    return (await response.text()).includes(script) ? 'own' : 'other';
  } catch {
    return 'none';
  }
}
