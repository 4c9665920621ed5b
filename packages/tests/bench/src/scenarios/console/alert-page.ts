import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import type { Api } from '../../api.ts';
import { newVisit, signedIn, THROTTLE } from './browser.ts';

const ROUNDS = 3;
const USABLE = 'bench: usable';
/** The sentence is there, and the alert can be acknowledged. */
const IS_USABLE = `document.querySelector('main article')?.textContent.includes('queue_length is') &&
  [...document.querySelectorAll('main button')].some((each) => each.textContent === 'Acknowledge' && !each.disabled)`;

export interface AlertPage {
  /** From the navigation until the sentence and the buttons can be used, ms, with an empty cache at a quarter of the processor. */
  usable: number[];
  shifts: number[];
}

/** Opens the page of an alert as the link of a notification does, each time in a browser of its own. */
export async function measureAlertPage(browser: Browser, product: Product, api: Api): Promise<AlertPage> {
  const { alerts } = await api.get<{ alerts: { id: string }[] }>('/alerts?limit=1');
  const found: AlertPage = { usable: [], shifts: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await signedIn(browser, product);
    const visit = await newVisit(context, THROTTLE, { [USABLE]: IS_USABLE });
    await visit.page.goto(`/alerts/${alerts[0]?.id}`);
    found.usable.push(await visit.timeOf(USABLE));
    await visit.page.waitForTimeout(1_500);
    found.shifts.push((await visit.take()).shift);
    await context.close();
  }
  return found;
}
