import {
  type Asked,
  type ScriptedModel,
  says,
  startScriptedModel,
} from '@tidewatch/investigator/model/testing/scripted-model';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';
import { enact, ended, type Incident, investigationOf } from './incident.ts';

describe.skipIf(lacksChromium)('[needs Chromium] the page of an investigation that runs', () => {
  let model: ScriptedModel;
  const site = useOwnSite(async () => {
    model = await startScriptedModel();
    return {
      TIDEWATCH_LLM_PROVIDER: 'openai-compatible',
      TIDEWATCH_LLM_BASE_URL: model.baseUrl,
      TIDEWATCH_LLM_MODEL: 'scripted',
      TIDEWATCH_LLM_RUN_SECONDS: '150',
    };
  });
  let incident: Incident;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    model.does(says(nothing));
    incident = await enact(site, { host: 'web-01', process: 'reindex' });
    await ended(site, await investigationOf(site, incident.alert.id));
  });
  afterAll(() => model?.close());

  /** Lets every call of the model wait until it is released. */
  function hold(): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answers = says(claimAboutCause);
    model.does((asked, response) => void released.then(() => answers(asked, response)));
    return release;
  }

  const request = async (question: string): Promise<string> =>
    (await site.call('POST', '/investigations', { alert_id: incident.alert.id, question })).id;
  const verdict = (page: Page, words: string) => page.locator('strong', { hasText: words }).waitFor();

  it('shows each finding as it arrives, then the cause and the words of the model, without a reload', async () => {
    const release = hold();
    // One investigation runs at a time: this one keeps the other in the queue until its page is open.
    const before = await request('first');
    await expect.poll(() => model.asked.length).toBe(1);
    const id = await request('second');
    const page = await site.open(`/investigations/${id}`, { key: site.adminKey });
    await verdict(page, 'Waiting in the queue');
    const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
    expect(await findings.count()).toBe(0);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await site.call('POST', `/investigations/${before}/cancel`);
    // The model is asked after the detectors, and is held: what is shown meanwhile are the findings of a running one.
    await findings.filter({ hasText: 'Process "reindex" appeared' }).waitFor();
    await verdict(page, 'Running');
    expect((await site.call('GET', `/investigations/${id}`)).status).toBe('running');
    release();
    await verdict(page, 'Root cause found · confidence high');
    const { analysis, findings: found } = await ended(site, id);
    expect(analysis).toMatchObject({ source: 'llm', model: 'scripted' });
    await expect.poll(() => findings.count()).toBe(found.length);
    await page.getByText('Worded by the model scripted', { exact: true }).waitFor();
    await page.getByText('The process reindex took the processor.').first().waitFor();
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    // What the model says stands beside its evidence.
    await page
      .getByRole('link', { name: /^\[\d+\]$/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Evidence' });
    await dialog.getByRole('table', { name: 'Numbers' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('is cancelled by its button, and keeps the findings that it has', async () => {
    const release = hold();
    const id = await request('to be cancelled');
    const page = await site.open(`/investigations/${id}`, { key: site.adminKey });
    const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
    await findings.first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await verdict(page, 'Cancelled');
    expect((await site.call('GET', `/investigations/${id}`)).status).toBe('cancelled');
    expect(await findings.count()).toBeGreaterThan(0);
    release();
  });

  it('appears in an open list by itself', async () => {
    model.does(says(nothing));
    const page = await site.open('/investigations', { key: site.adminKey });
    await page.getByRole('grid', { name: 'Investigations' }).waitFor();
    const id = await request('appears');
    const link = page.locator(`a[href="/investigations/${id}"]`);
    await link.waitFor();
    await ended(site, id);
    await page.getByRole('row').filter({ has: link }).getByText('Cause found, high confidence').waitFor();
  });
});

const NOTHING = { most_likely_finding_id: null, summary: [], root_cause: [], details: [] };

function nothing(): string {
  return JSON.stringify(NOTHING);
}

/** An answer with one claim, which cites the first piece of evidence of the cause that the prompt names. */
function claimAboutCause({ body }: Asked): string {
  const parts = (body.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [content] : (content as { text?: string }[]).map(({ text }) => text ?? ''),
  );
  const data = JSON.parse(
    /<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>/.exec(parts.join('\n'))?.[2] ?? '{"findings":[]}',
  );
  const cause = data.findings.find(({ id }: { id: string }) => id === data.root_cause_finding_id);
  if (cause === undefined) return nothing();
  const claim = { text: 'The process reindex took the processor.', evidence_ids: [cause.evidence_ids[0]] };
  return JSON.stringify({
    ...NOTHING,
    most_likely_finding_id: cause.id,
    summary: [claim],
    root_cause: [claim],
  });
}
