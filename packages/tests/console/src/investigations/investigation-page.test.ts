import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { enact, ended, type Incident, investigationOf, minorAlert } from './incident.ts';

const MARKUP = `<img src=x onerror="console.error('ran')">\u202etxt`;

describe.skipIf(lacksChromium)('[needs Chromium] the page of an investigation', () => {
  const site = useSite();
  let incident: Incident;
  // biome-ignore lint/suspicious/noExplicitAny: the record is whatever the API answers
  let record: any;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    incident = await enact(site, { host: 'web-01', process: 'reindex' });
    record = await ended(site, await investigationOf(site, incident.alert.id));
  });

  const open = async (search = '', otherwise: Parameters<typeof site.open>[1] = {}): Promise<Page> => {
    const page = await site.open(`/investigations/${record.id}${search}`, {
      key: site.adminKey,
      ...otherwise,
    });
    await settled(page);
    return page;
  };
  const findingsOf = (page: Page) => page.getByRole('list', { name: 'Findings' }).getByRole('listitem');

  it('names the verdict, the cause with its chart, what to do with commands, and the hosts that are not affected', async () => {
    const page = await open();
    expect(record.conclusion).toBe('root_cause_found');
    await page.getByText('Root cause found · confidence high').waitFor();
    expect(await page.title()).toContain('Root cause found');
    const cause = record.findings.find(
      ({ id }: { id: string }) => id === record.analysis.root_cause_finding_id,
    );
    await findingsOf(page).filter({ hasText: 'cause' }).getByText(cause.title).waitFor();
    await page.getByRole('figure', { name: 'Symptom: cpu_percent' }).waitFor();
    await page.getByRole('figure', { name: /^Cause: process “reindex”/ }).waitFor();
    for (const { title, command, risk } of record.recommendations) {
      const step = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
      expect(await step.locator('code').first().textContent()).toBe(command);
      await step.getByText(risk).waitFor();
      await step.getByRole('button', { name: 'Copy' }).waitFor();
    }
    const unaffected = page.getByRole('list', { name: 'Not affected' }).getByRole('link');
    expect((await unaffected.allTextContents()).toSorted()).toEqual(['calm-01', 'calm-02', 'calm-03']);
    const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    expect(await timeline.count()).toBe(record.timeline.length);
  });

  it('shows a probability for findings that may be the cause, and none for the symptom and other effects', async () => {
    const page = await open();
    const shown = await findingsOf(page).evaluateAll((findings) =>
      findings.map(({ firstElementChild }) => firstElementChild?.textContent),
    );
    const words = ({ score, possible_cause }: { score: number; possible_cause: boolean }) =>
      possible_cause ? `Score ${score.toFixed(2)}` : 'Not a possible cause–';
    expect(shown).toEqual(record.findings.map(words));
    expect(new Set(record.findings.map((each: { possible_cause: boolean }) => each.possible_cause))).toEqual(
      new Set([true, false]),
    );
  });

  it('links every number of its findings to evidence', async () => {
    const page = await open();
    const details = page.getByRole('button', { name: 'Details' });
    while ((await details.count()) > 0) await details.first().click();
    const unlinked = await findingsOf(page).evaluateAll((findings) =>
      findings.flatMap((finding) => {
        const copy = finding.cloneNode(true) as Element;
        for (const element of copy.querySelectorAll('a, time')) element.remove();
        // Digits of names, such as web-01 and load_1, are no numbers.
        return copy.textContent?.replace(/"[^"]*"|[\w-]*[a-z_][\w-]*\d+/g, '').match(/\d+/g) ?? [];
      }),
    );
    expect(unlinked).toEqual([]);
    const links = await findingsOf(page)
      .locator('a[href*="evidence="]')
      .evaluateAll((found) =>
        found.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('evidence')),
      );
    const known = record.evidence.map(({ id }: { id: string }) => id);
    expect(links.length).toBeGreaterThan(record.findings.length);
    expect(new Set(links)).toEqual(new Set(known));
  });

  it('shows every piece of evidence exactly as the API has it, by its own address', async () => {
    const page = await open();
    for (const { id, query, stats, points } of record.evidence) {
      await page.locator(`a[href*="evidence=${id}"]`).first().click();
      expect(new URL(page.url()).searchParams.get('evidence')).toBe(id);
      const dialog = page.getByRole('dialog', { name: 'Evidence' });
      expect(await dialog.locator('dl code').textContent()).toBe(query);
      const shown = await dialog
        .getByRole('table', { name: 'Numbers' })
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [row.children[0]?.textContent, row.children[1]?.textContent]),
        );
      const text = (cell: unknown) => (cell === null ? '–' : String(cell));
      expect(shown).toEqual(Object.entries(stats).map(([name, value]) => [name, text(value)]));
      const rows = await dialog
        .getByRole('region', { name: 'Rows of the evidence' })
        .locator('tbody tr')
        .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
      const columns = [...new Set(points.flatMap((point: object) => Object.keys(point)))] as string[];
      expect(rows).toEqual(
        points.map((point: Record<string, unknown>) => columns.map((column) => text(point[column] ?? null))),
      );
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('is reached from the flag of the cause on the chart of the alert, at the finding', async () => {
    const page = await site.open(`/alerts/${incident.alert.id}`, { key: site.adminKey });
    const flag = page.getByRole('button', { name: /Process "reindex" appeared.*\(likely cause\)/ });
    await flag.first().click();
    await page
      .getByRole('link', { name: /\(likely cause\)$/ })
      .first()
      .click();
    await page.getByText('Root cause found · confidence high').waitFor();
    const url = new URL(page.url());
    expect([url.pathname, url.searchParams.get('finding')]).toEqual([
      `/investigations/${record.id}`,
      record.analysis.root_cause_finding_id,
    ]);
  });

  it('is linked from its alert and from the notifications of the alert', async () => {
    const path = `a[href="/investigations/${record.id}"]`;
    const alert = await site.open(`/alerts/${incident.alert.id}`, { key: site.adminKey });
    await alert.locator(path).first().waitFor();
    await site.call('POST', '/channels', {
      kind: 'webhook',
      name: 'on call',
      is_default: true,
      config: { url: 'https://hooks.example.invalid/x' },
    });
    await site.call('POST', `/alerts/${incident.alert.id}/comments`, { comment: 'seen' });
    const notifications = await site.open('/notifications', { key: site.adminKey });
    await settled(notifications);
    const { notifications: sent } = await site.call('GET', '/notifications');
    const about = sent.filter(({ alert_ids }: { alert_ids: string[] }) =>
      alert_ids.includes(incident.alert.id),
    );
    expect(await notifications.locator(path).count()).toBe(about.length);
  });

  it('stores feedback with the actual cause, and keeps what was typed while the page is left', async () => {
    const page = await open();
    const stored = async () => (await site.call('GET', `/investigations/${record.id}`)).feedback;
    await page.getByRole('button', { name: 'Not helpful' }).click();
    await page.getByText(/^Not helpful, said/).waitFor();
    expect(await stored()).toMatchObject({ helpful: false, actual_root_cause: null });
    await page.getByLabel('Actual cause').fill('a nightly backup');
    await page.getByRole('link', { name: 'Investigations' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Investigations' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('Actual cause').inputValue()).toBe('a nightly backup');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Actual cause: a nightly backup').waitFor();
    expect(await stored()).toMatchObject({ helpful: false, actual_root_cause: 'a nightly backup' });
    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await page.getByText(/^Helpful, said/).waitFor();
    expect(await stored()).toMatchObject({ helpful: true, actual_root_cause: 'a nightly backup' });
  });

  it('runs again in the window that its dialog shows, as another investigation of the same alert', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Run again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run again' });
    await dialog.getByLabel('Twice as long').check();
    await dialog.getByRole('button', { name: 'Investigate' }).click();
    await page.waitForURL(
      (url) => /\/investigations\/inv_/.test(url.pathname) && !url.pathname.endsWith(record.id),
    );
    const again = await ended(site, new URL(page.url()).pathname.split('/').at(-1) ?? '');
    expect(again.alert_ids).toEqual(record.alert_ids);
    const [start, end] = [Date.parse(record.from), Date.parse(record.to)];
    expect([Date.parse(again.from), Math.abs(Date.parse(again.to) - end) <= 1]).toEqual([
      2 * start - end,
      true,
    ]);
    await page.getByText('Root cause found · confidence high').waitFor();
  });

  it('is begun from the page of a host, and from an alert that has none', async () => {
    const host = await site.open(`/services/${incident.alert.service_id}`, { key: site.adminKey });
    await host.getByRole('button', { name: 'Investigate' }).click();
    await host.waitForURL(/\/investigations\/inv_/);
    const alert = await minorAlert(site, 'web-02');
    expect((await site.call('GET', `/alerts/${alert.id}`)).investigation_id).toBeNull();
    const page = await site.open(`/alerts/${alert.id}`, { key: site.adminKey });
    await page.getByRole('button', { name: 'Investigate' }).click();
    await page.waitForURL(/\/investigations\/inv_/);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect((await site.call('GET', `/alerts/${alert.id}`)).investigation_id).toBe(id);
  });

  it('shows names of hosts and programs as text, whatever they are', async () => {
    const { alert } = await enact(site, { host: `h-${MARKUP}`, process: `p-${MARKUP}` });
    const hostile = await ended(site, await investigationOf(site, alert.id));
    const page = await site.open(`/investigations/${hostile.id}`, { key: site.adminKey });
    await settled(page);
    await findingsOf(page).filter({ hasText: 'p-<img src=x onerror=' }).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => /[\u202a-\u202e]/.test(document.body.textContent ?? ''))).toBe(false);
    expect(await violationsInEveryLook(page, ['light'])).toEqual([]);
    await page.goto('/investigations');
    await settled(page);
    expect(await violationsInEveryLook(page, ['light'])).toEqual([]);
  });

  it('has no axe violation in both themes, with and without evidence open', async () => {
    const page = await open();
    expect(await violationsInEveryLook(page)).toEqual([]);
    await page.goto(`/investigations/${record.id}?evidence=${record.evidence[0].id}`);
    await page.getByRole('dialog', { name: 'Evidence' }).getByRole('table', { name: 'Numbers' }).waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
  });

  it('prints as a report: without what can be pressed, and with the numbers of its evidence', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Run again' }).isVisible()).toBe(false);
    const [piece] = record.evidence;
    const [name, value] = Object.entries(piece.stats)[0] ?? [];
    await page.getByRole('list', { name: 'Evidence' }).getByText(`${name} ${value}`).first().waitFor();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
  });

  it('lets somebody who may only read run, rate and cancel nothing', async () => {
    const page = await open('', { key: await site.keyWith('read') });
    for (const name of ['Run again', 'Helpful', 'Not helpful'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    expect(await page.getByText('needs the scope write').count()).toBeGreaterThan(0);
  });
});
