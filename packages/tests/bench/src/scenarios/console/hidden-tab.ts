import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import { type Api, ingestAll } from '../../api.ts';
import { newVisit, signedIn } from './browser.ts';
import { HOSTS, payloadOf } from './fill.ts';

/** Longer than the page of all hosts waits between two reads, ms. */
const WATCHED_MS = 15_000;

export interface HiddenTab {
  /** What the hidden page requested: method and path. */
  requests: string[];
  /** Whether an alert that fired meanwhile reached the page through the stream. */
  streamIsOpen: boolean;
}

/** A tab behind another one, while an alert fires and hosts report. */
export async function measureHiddenTab(browser: Browser, product: Product, api: Api): Promise<HiddenTab> {
  const context = await signedIn(browser, product);
  const visit = await newVisit(context, 1);
  await visit.page.goto('/services');
  await visit.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await visit.page.getByText(`${HOSTS.toLocaleString('en-US')} hosts`, { exact: true }).waitFor();
  await visit.page.evaluate('tidewatchProbe.hide()');
  await visit.take();
  const requests: string[] = [];
  visit.page.on('request', (request) =>
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`),
  );
  await ingestAll(api, [payloadOf(0, { breaches: true })]);
  await visit.page.waitForTimeout(WATCHED_MS);
  const { received } = await visit.take();
  await ingestAll(api, [payloadOf(0)]);
  await context.close();
  return { requests, streamIsOpen: Object.keys(received).length > 0 };
}
