import { fileURLToPath } from 'node:url';
import type { Product } from '@tidewatch/harness/product';
import { buildConsole, consoleFolder, isBuilt } from '@tidewatch/tools/console-build';
import { sizesOfBuild } from '@tidewatch/tools/console-sizes';
import { createApi } from '../../api.ts';
import type { Scenario } from '../../scenario.ts';
import { measureAlertPage } from './alert-page.ts';
import { openBrowser } from './browser.ts';
import { budgetTable } from './budgets.ts';
import { budgetsOf } from './console-budgets.ts';
import type { ConsoleResult } from './console-result.ts';
import { fillFleet, reportBreaching } from './fill.ts';
import { measureFirstPage } from './first-page.ts';
import { measureHiddenTab } from './hidden-tab.ts';
import { measureHostsPage } from './hosts-page.ts';
import { EVENTS_PER_SECOND, measureLivePage } from './live-page.ts';
import { measureOpenConsoles } from './open-consoles.ts';
import { measureSnapshot, snapshotTable } from './snapshot-cost.ts';

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url)).replace(/\/$/, '');

export const consoleBudgets: Scenario = {
  measures: `the web console in Chromium with 10,000 hosts and 500 active alerts, at a quarter of the processor: each budget with
what was measured; 50 events a second: tasks and frames for --seconds, at most 600, and then the heap for --seconds, of which 3600 are an hour`,
  options: ['seconds'],
  settings: { TIDEWATCH_CONSOLE: 'on' },
  prepare: build,
  async run(product, { seconds }, print) {
    const figures = await measureConsole(product, seconds, print);
    const budgets = budgetsOf(figures);
    print(`${budgetTable(budgets)}\n\n${snapshotTable(figures.snapshot)}`);
    const { sent, received, repeated, agrees } = figures.livePage;
    return { valid: agrees && received >= sent && repeated === 0, figures: { budgets, ...figures } };
  },
};

/** The build has to be there before the start: a product that builds while it is measured measures that. */
async function build(): Promise<void> {
  const folder = consoleFolder(ROOT);
  if (isBuilt(folder)) return;
  const { ok, output } = await buildConsole(ROOT, folder, process.execPath).done;
  if (!ok) throw new Error(`the console could not be built:\n${output}`);
}

async function measureConsole(
  product: Product,
  seconds: number,
  print: (text: string) => void,
): Promise<ConsoleResult> {
  const api = createApi(product.url, product.key);
  print('filling …');
  await fillFleet(product, api);
  // Before any page and any event, which leave the product work that would count as that of the server's figures.
  print('open consoles …');
  const openConsoles = await measureOpenConsoles(product, api);
  print('the snapshot …');
  const snapshot = await measureSnapshot(product, api);
  const browser = await openBrowser();
  await reportBreaching(api);
  try {
    print('the first page …');
    const firstPage = await measureFirstPage(browser, product);
    print('the page of an alert …');
    const alertPage = await measureAlertPage(browser, product, api);
    print('the page of all hosts …');
    const hostsPage = await measureHostsPage(browser, product, api);
    print('a hidden tab …');
    const hidden = await measureHiddenTab(browser, product, api);
    await reportBreaching(api);
    print(`${EVENTS_PER_SECOND} events a second, for tasks and then for ${seconds} s of the heap …`);
    const livePage = await measureLivePage(browser, product, api, seconds);
    await browser.close();
    const sizes = await sizesOfBuild(consoleFolder(ROOT));
    return { sizes, firstPage, alertPage, hostsPage, hidden, livePage, openConsoles, snapshot };
  } finally {
    await browser.close();
  }
}
