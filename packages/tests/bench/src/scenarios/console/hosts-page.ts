import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import type { Api } from '../../api.ts';
import { ingestAll } from '../../api.ts';
import { newVisit, signedIn, type Visit } from './browser.ts';
import { HOSTS, payloadOf } from './fill.ts';

const ROUNDS = 3;
/** Hosts whose cells change their colour between two reads of the page. */
const CHANGED = 100;
/** The page reads changes every five seconds. */
const READ_WITHIN_MS = 20_000;
/** Between two interactions, so that each is one of its own, ms. */
const PAUSE_MS = 250;

export interface HostsPage {
  /** Full draws of the map, and updates of 100 hosts, ms. */
  draws: number[];
  updates: number[];
  /** Tasks of more than 50 ms from the response with the hosts until they are shown, ms. */
  longTasks: number[];
  /** The longest task of each load before that, such as the evaluation of scripts, ms. */
  loadingTasks: number[];
  /** The time from each input until the next paint, ms; 16 stands for what took no longer. */
  interactions: { name: string; ms: number }[];
  shifts: number[];
}

/** The page of all hosts: its load, updates of the map, and what somebody does on it. */
export async function measureHostsPage(browser: Browser, product: Product, api: Api): Promise<HostsPage> {
  const found: HostsPage = {
    draws: [],
    updates: [],
    longTasks: [],
    loadingTasks: [],
    interactions: [],
    shifts: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await signedIn(browser, product);
    const visit = await newVisit(context);
    await openHosts(visit, '/services');
    await visit.page.waitForTimeout(1_000);
    found.draws.push(...(await visit.durationsOf('fleet-map: draw')));
    const { longTasks, shift } = await visit.take();
    const arrived = (await visit.page.evaluate('tidewatchProbe.arrivalOf("/services/snapshot")')) as number;
    const [before, after] = [[0], [] as number[]];
    for (const { startTime, duration } of longTasks) (startTime < arrived ? before : after).push(duration);
    found.loadingTasks.push(Math.max(...before));
    found.longTasks.push(...after);
    found.shifts.push(shift);
    found.interactions.push(...(await interact(visit)));
    await context.close();
  }
  const context = await signedIn(browser, product);
  const visit = await newVisit(context);
  await openHosts(visit, '/services?fill=cpu_percent');
  await visit.durationsOf('fleet-map: update');
  for (let round = 0; round < ROUNDS; round += 1)
    found.updates.push(...(await updateMap(visit, api, round % 2 === 0 ? 99 : 1)));
  await context.close();
  return found;
}

async function openHosts({ page }: Visit, path: string): Promise<void> {
  await page.goto(path);
  await page.getByText(`${HOSTS.toLocaleString('en-US')} hosts`, { exact: true }).waitFor();
}

/** Changes the values of 100 hosts, and waits until the map has drawn them. */
async function updateMap(visit: Visit, api: Api, cpu: number): Promise<number[]> {
  await ingestAll(
    api,
    Array.from({ length: CHANGED }, (_, index) => payloadOf(index * 90, { cpu })),
  );
  const deadline = performance.now() + READ_WITHIN_MS;
  for (;;) {
    const durations = await visit.durationsOf('fleet-map: update');
    if (durations.length > 0) return durations;
    if (performance.now() > deadline) throw new Error('the map did not show the changed hosts');
    await visit.page.waitForTimeout(250);
  }
}

/** Filters, selects, sorts and opens; returns what each interaction took. */
async function interact(visit: Visit): Promise<HostsPage['interactions']> {
  const { page } = visit;
  const found: HostsPage['interactions'] = [];
  const step = async (name: string, act: () => Promise<unknown>) => {
    await visit.take();
    await act();
    await page.waitForTimeout(PAUSE_MS);
    const durations = Object.values((await visit.take()).interactions).map(({ duration }) => duration);
    found.push({ name, ms: Math.max(16, ...durations) });
  };
  const search = page.getByRole('searchbox');
  await step('focus the filter', () => search.click());
  for (const letter of 'web-01') await step(`type ${letter}`, () => page.keyboard.press(letter));
  await step('clear the filter', () =>
    page.keyboard.press('Control+a').then(() => page.keyboard.press('Delete')),
  );
  const critical = page.getByRole('button', { name: / critical$/ });
  await step('filter by a status', () => critical.click());
  await step('show all states', () => critical.click());
  await step('show the table', () => page.getByRole('button', { name: 'Table' }).click());
  const grid = page.getByRole('grid', { name: 'Hosts' });
  for (const heading of ['CPU', 'Host', 'Status'])
    await step(`sort by ${heading}`, () =>
      grid.getByRole('columnheader', { name: heading }).getByRole('button').click(),
    );
  for (const place of [1, 2, 3])
    await step('select a host', () => grid.getByRole('checkbox').nth(place).click());
  await step('open a host', () => grid.getByRole('link').nth(3).click());
  await page.getByRole('heading', { level: 1, name: /^web-/ }).waitFor();
  return found;
}
