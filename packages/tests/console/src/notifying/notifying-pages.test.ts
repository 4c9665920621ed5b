import {
  type Answer,
  type HttpReceiver,
  startHttpReceiver,
  status,
} from '@tidewatch/destinations/testing/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { breach, createRule } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const PATHS = [
  '/rules',
  '/rules/new',
  '/silences',
  '/silences?view=list',
  '/silences/new',
  '/channels',
  '/notifications',
];

describe.skipIf(lacksChromium)('[needs Chromium] rules, silences, channels and notifications', () => {
  const site = useSite();

  let receiver: HttpReceiver;
  let answer: Answer = status(400);
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    receiver = await startHttpReceiver((response, received) => answer(response, received));
    const { id } = await site.call('POST', '/channels', {
      kind: 'webhook',
      name: 'on call',
      config: { url: receiver.url('/hook') },
    });
    await createRule(site, [id]);
  });
  afterAll(() => receiver?.close());

  it('name a channel that refuses with its reason on the alert, and after the repair "Send again" delivers', async () => {
    answer = status(400);
    const { id } = await breach(site, 'web-03');
    const page = await site.open(`/alerts/${id}`, { key: site.adminKey });
    const delivery = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem');
    await expect.poll(() => delivery.textContent()).toMatch(/fired · on call \(webhook\): failed: .*400/);
    answer = status(204);
    const before = receiver.got.length;
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => delivery.textContent()).toContain('on call (webhook): delivered');
    expect(receiver.got.length).toBe(before + 1);
    expect(await delivery.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    const { notifications } = await site.call('GET', `/alerts/${id}`);
    expect(notifications).toMatchObject([{ status: 'delivered' }]);
  });

  it('name the alert, the rule and the channel of each notification in the list', async () => {
    answer = status(204);
    const { id, summary } = await breach(site, 'web-04');
    const page = await site.open(`/notifications?alert_id=${id}`, { key: site.adminKey });
    const row = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
    await expect.poll(() => row.textContent()).toContain('on call (webhook): delivered');
    expect(await row.textContent()).toContain('Fired · web-04: ');
    const link = row.getByRole('link', { name: summary });
    expect(await link.getAttribute('href')).toBe(`/alerts/${id}`);
  });

  it('show the result of a test and its duration in place, refused and delivered', async () => {
    const page = await site.open('/channels', { key: site.adminKey });
    const card = page
      .getByRole('list', { name: 'Channels' })
      .getByRole('listitem')
      .filter({ hasText: 'on call' });
    answer = status(400);
    await card.getByRole('button', { name: 'Send a test' }).click();
    await card.getByText(/^Failed after \d+ (ms|s): .*400/).waitFor();
    answer = status(204);
    await card.getByRole('button', { name: 'Send a test' }).click();
    await card.getByText(/^Delivered in \d+ (ms|s)\.$/).waitFor();
  });

  it('stores a silence with the matchers, the end and the zone that the form shows', async () => {
    const page = await site.open('/silences/new', { key: site.adminKey });
    await settled(page);
    await page.getByLabel('Hosts', { exact: true }).fill('db-*');
    await page.getByLabel('Zone', { exact: true }).fill('Europe/Berlin');
    await page.getByLabel('From', { exact: true }).fill('2030-01-07T01:00');
    await page.getByLabel('Until', { exact: true }).fill('2030-01-07T03:00');
    await page.getByText('0 hosts, 0 active alerts.').waitFor();
    await page.getByRole('button', { name: 'Silence', exact: true }).click();
    await page.getByText('host=db-*').waitFor();
    const { silences } = await site.call('GET', '/silences');
    expect(silences).toMatchObject([
      {
        matchers: { hosts: ['db-*'] },
        from: '2030-01-07T00:00:00.000Z',
        until: '2030-01-07T02:00:00.000Z',
        timezone: 'Europe/Berlin',
      },
    ]);
  });

  it('has no axe violation and does not scroll sideways at 360 and 1,280 px', async () => {
    const page = await (await site.visitor({ key: site.adminKey })).newPage();
    for (const path of PATHS) {
      await page.goto(path);
      await settled(page);
      expect([path, await violationsInEveryLook(page, ['light'])]).toEqual([path, []]);
    }
  });
});
