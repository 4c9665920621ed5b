import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { ROUTING_KEY, startPagerduty } from '@tidewatch/destinations/testing/pagerduty-stand-in';
import { startSlack } from '@tidewatch/destinations/testing/slack-stand-in';
import { type SmtpReceiver, startSmtpReceiver } from '@tidewatch/destinations/testing/smtp-receiver';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartOf } from '../charts/chart-page.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const PHONE = { width: 360, height: 640 };
const KINDS = ['slack', 'email', 'webhook', 'pagerduty'] as const;
type Kind = (typeof KINDS)[number];

describe.skipIf(lacksChromium)('[needs Chromium] a notification', () => {
  let slack: HttpReceiver;
  let pagerduty: HttpReceiver;
  let webhook: HttpReceiver;
  let mail: SmtpReceiver;
  const site = useOwnSite(async () => {
    const port = String(await freePort());
    mail = await startSmtpReceiver();
    return {
      TIDEWATCH_PORT: port,
      TIDEWATCH_PUBLIC_URL: `http://127.0.0.1:${port}`,
      TIDEWATCH_EMAIL_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      TIDEWATCH_EMAIL_FROM: 'tidewatch@example.com',
    };
  });

  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    [slack, pagerduty, webhook] = await Promise.all([
      startSlack(),
      startPagerduty(),
      startHttpReceiver(status(204)),
    ]);
    const configs: Record<Kind, object> = {
      slack: { webhook_url: slack.url('/services/T000/B000/secret') },
      email: { to: ['oncall@example.com'] },
      webhook: { url: webhook.url('/hook') },
      pagerduty: { routing_key: ROUTING_KEY, api_url: pagerduty.url('/v2/enqueue') },
    };
    for (const kind of KINDS) {
      const channel = await site.call('POST', '/channels', { kind, name: kind, config: configs[kind] });
      await site.call('POST', '/alerts/rules', {
        name: `CPU of containers, by ${kind}`,
        metric: 'container.cpu_percent',
        condition: 'greater_than',
        threshold: 90,
        duration_minutes: 0,
        severity: 'critical',
        scope: { hosts: [`by-${kind}`] },
        channels: [channel.id],
      });
    }
  });
  afterAll(() => Promise.all([slack, pagerduty, webhook, mail].map((receiver) => receiver?.close())));

  /** What arrived of each kind, as text. */
  const arrived: Record<Kind, () => string> = {
    slack: () => slack.got.map(({ body }) => body).join('\n'),
    email: () => mail.got.map(({ raw }) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')).join('\n'),
    webhook: () => webhook.got.map(({ body }) => body).join('\n'),
    pagerduty: () => pagerduty.got.map(({ body }) => body).join('\n'),
  };
  const linksOf = (kind: Kind) =>
    [...arrived[kind]().matchAll(/http:\/\/127\.0\.0\.1:\d+\/[^\s"<>|\\)]+/g)]
      .map(([url]) => url.replaceAll('&amp;', '&'))
      .filter((url) => url.startsWith(site.url));

  it.each(KINDS)(
    'by %s links to its alert, which a phone shows after sign-in and acknowledges with a tap',
    async (kind) => {
      const host = `by-${kind}`;
      await site.call('POST', '/ingest', {
        host,
        interval_seconds: 10,
        metrics: { cpu_percent: 97 },
        docker_containers: [{ name: 'api', image: 'shop/api:1', status: 'running', cpu_percent: 97 }],
      });
      await expect.poll(() => linksOf(kind).find((url) => url.includes('/alerts/alr_'))).toBeDefined();
      const links = linksOf(kind);
      const link = links.find((url) => url.includes('/alerts/alr_')) as string;

      const page = await site.open(link, PHONE);
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByLabel('API key').fill(site.adminKey);
      await dialog.getByRole('button', { name: 'Sign in' }).tap();
      expect(page.url()).toBe(link);
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).tap();
      const { id } = (await site.call('GET', `/alerts?host=${host}`)).alerts[0];
      expect(new URL(link).pathname).toBe(`/alerts/${id}`);
      const byName = async () => (await site.call('GET', `/alerts/${id}`)).acknowledged_by?.name;
      await expect.poll(byName).toEqual(expect.any(String));

      const chart = links.find((url) => url.includes('metric='));
      // A webhook carries the event, whose links are those to the alert and its host.
      if (kind === 'webhook') return expect(chart).toBeUndefined();
      await page.goto(chart as string);
      const wanted = new URL(chart as string).searchParams;
      expect(wanted.get('subject')).toBe('container:api');
      const shown = new URL(page.url()).searchParams;
      for (const name of ['metric', 'subject', 'from', 'to']) expect(shown.get(name)).toBe(wanted.get(name));
      await page.getByRole('heading', { level: 1, name: host }).waitFor();
      await chartOf(page, 'cpu_percent')
        .getByRole('button', { name: /^Alert: CPU of containers/ })
        .waitFor();
    },
  );
});
