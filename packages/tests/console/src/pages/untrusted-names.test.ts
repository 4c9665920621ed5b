import type { PageName } from '@tidewatch/contracts/console/paths';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { hostId } from '../charts/samples.ts';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';
import { type PageIds, pathsOf, settled } from './visits.ts';

const MARKUP = '<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>';
const BIDI = 'web\u202e10-moc.live\u2066';
const CONTROL = 'a\u0007b\u200bc';
const WAITS = { timeout: 60_000, interval: 200 };
const LONG = 'x'.repeat(255);
/** A character that must not be shown, with what is around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown
const UNSEEN = /.{0,40}[\u0007\u200b-\u200f\u202a-\u202e\u2060-\u206f].{0,20}/gu;

describe.skipIf(lacksChromium)('[needs Chromium] names that hosts and people send', () => {
  const site = useOwnSite();
  let ids: PageIds;
  let owners: string[];

  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    const text = `${MARKUP} ${BIDI} ${CONTROL}`;
    const rule = await site.call('POST', '/alerts/rules', {
      name: text,
      description: text,
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
      duration_minutes: 0,
      severity: 'critical',
    });
    owners = [MARKUP, BIDI, LONG];
    await site.call(
      'POST',
      '/ingest',
      owners.map((host) => ({
        host,
        interval_seconds: 10,
        tags: { role: text, [BIDI]: MARKUP, empty: '', long: LONG },
        metrics: { cpu_percent: 99, [`m_${'y'.repeat(190)}`]: 1 },
        docker_containers: [{ name: MARKUP, image: BIDI, status: 'running', cpu_percent: 3 }],
        parts: [{ kind: 'a kind', name: MARKUP, labels: { [BIDI]: MARKUP }, [`p_${LONG.slice(0, 60)}`]: 1 }],
        processes: [{ name: MARKUP + CONTROL, pid: 1, cpu_percent: 12, memory_rss: 6e9 }],
      })),
    );
    const channel = await site.call('POST', '/channels', {
      kind: 'webhook',
      name: text,
      config: { url: 'http://127.0.0.1:9/hook' },
    });
    const host = await hostId(site, MARKUP);
    const silence = {
      matchers: { hosts: [MARKUP] },
      comment: text,
      from: new Date().toISOString(),
      until: new Date(Date.now() + 3_600_000).toISOString(),
    };
    await site.call('POST', '/silences', silence);
    await site.call('POST', '/markers', { title: text, selector: { hosts: [MARKUP] } });
    const find = async () => (await site.call('GET', `/alerts?service_id=${host}`)).alerts[0]?.id;
    const alert = await vi.waitUntil(find, WAITS);
    await site.call('POST', `/alerts/${alert}/comments`, { comment: text });
    const investigation = await vi.waitUntil(
      async () => (await site.call('GET', `/alerts/${alert}`)).investigation_id,
      WAITS,
    );
    ids = { alert, host, rule: rule.id, editRule: rule.id, channel: channel.id, investigation };
  });

  /** The page of every kind, with real objects, and its comparisons. */
  const paths = async () => {
    const hosts = await Promise.all(owners.map((name) => hostId(site, name)));
    const search: Partial<Record<PageName, string[]>> = {
      compare: [`?${hosts.map((id) => `id=${id}`).join('&')}`],
      hosts: ['?group_by=role', '?view=table'],
      host: [
        '',
        '?tab=parts',
        '?tab=containers',
        '?tab=processes',
        '?tab=alerts',
        '?tab=changes',
        '?tab=rules',
      ],
      silences: ['', '?view=list'],
      alerts: ['', '?status=all'],
      query: ['?metric=cpu_percent&group_by=role'],
    };
    return pathsOf(ids).flatMap(({ name, path }) => (search[name] ?? ['']).map((query) => path + query));
  };

  /** What is wrong with the page that is open. Fields hold what was typed as it is. */
  async function faultsOf(page: Page): Promise<string[]> {
    const { texts, isOwned } = await page.evaluate(() => {
      const body = document.body.cloneNode(true) as HTMLElement;
      for (const field of body.querySelectorAll('textarea')) field.remove();
      const spoken = [...body.querySelectorAll('*')].flatMap((element) =>
        ['aria-label', 'aria-description', 'title', 'alt', 'label'].map((name) => element.getAttribute(name)),
      );
      return {
        texts: [document.title, body.textContent, ...spoken].join(' '),
        isOwned: 'owned' in globalThis,
      };
    });
    const found = [
      ...(isOwned ? ['a script has run'] : []),
      ...(texts.match(UNSEEN) ?? []).map(
        (text) => `shows a character that cannot be seen: ${JSON.stringify(text)}`,
      ),
    ];
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      // Charts follow the window in the next frames.
      const isWide = await vi
        .waitUntil(async () => (await overflowOf(page)) <= 0, { timeout: 3_000 })
        .then(
          () => false,
          () => true,
        );
      if (isWide) found.push(`is ${await overflowOf(page)} px wider than ${width} px`);
    }
    return found;
  }

  it('stand as text on every page, run nothing, break no layout at 360 and 1,280 px, and leave rule, editor and channel without an axe violation', async () => {
    const page = await site.open('/', { key: site.adminKey });
    const checked = [`/rules/${ids.rule}`, `/rules/${ids.rule}/edit`, `/channels/${ids.channel}`];
    const found: string[] = [];
    const all = await paths();
    expect(all).toEqual(expect.arrayContaining(checked));
    for (const path of all) {
      await page.goto(path);
      await settled(page);
      // These offer the names of tags, which are read by themselves.
      if (/^\/(?:alerts|services\?group_by=role)$/.test(path))
        await page.locator('option[value$="long"]').first().waitFor({ state: 'attached' });
      const violations = checked.includes(path) ? await violationsOf(page) : [];
      for (const fault of [...violations, ...(await faultsOf(page))]) found.push(`${path}: ${fault}`);
    }
    expect(found).toEqual([]);
  });

  it('are shown as they were sent, with what cannot be seen escaped', async () => {
    const page = await site.open(`/alerts/${ids.alert}`, { key: site.adminKey });
    await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor();
    await page
      .getByRole('link', { name: /web\\u202e10-moc\.live\\u2066 a\\u0007b\\u200bc/ })
      .first()
      .waitFor();
    await page.getByRole('rowheader', { name: `${MARKUP}a\\u0007b\\u200bc` }).waitFor();
  });
});
