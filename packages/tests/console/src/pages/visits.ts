import { PAGES, type PageName, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import type { Site } from '../site/site.ts';

/** The ids of an object of each kind, for the pages that show one. */
export type PageIds = Partial<Record<PageName, string>>;

/** A path for each page that the console has. Pages of one object show an object that does not exist, unless `ids` has one. */
export function pathsOf(ids: PageIds = {}): { name: PageName; path: string }[] {
  return SERVED_PAGES.map((name) => ({
    name,
    path: PAGES[name].path.replace(':id', ids[name] ?? `${name.slice(0, 3)}_${'0'.repeat(32)}`),
  }));
}

/** Waits until the page shows its heading and nothing is loading or held back. */
export async function settled(page: Awaited<ReturnType<Site['open']>>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Loading"], [aria-busy="true"]') === null,
  );
}
