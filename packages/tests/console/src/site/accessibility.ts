import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The violations that axe finds on the page, a line for each element. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  // What passes is not gathered; the rules that run are the same.
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
}

/** How far the content of the page is wider than the window, px. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  [360, 640],
  [1_280, 800],
] as const;

/**
 * The violations in each theme and at the widths of a phone and a desk, and by how much the content is wider than either. The
 * page is loaded once and then changed, as by somebody who turns the telephone or whose system becomes dark.
 */
export async function violationsInEveryLook(
  page: Page,
  themes: readonly (typeof THEMES)[number][] = THEMES,
  look: (name: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const found: string[] = [];
  // Without motion no colour is on its way to that of the other theme while the page is checked.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of SIZES) {
      const name = `${colorScheme}-${width}`;
      await page.setViewportSize({ width, height });
      await look(name);
      found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`));
      const overflow = await overflowOf(page);
      if (overflow > 0) found.push(`${name}: ${overflow} px wider than the window`);
    }
  }
  return found;
}
