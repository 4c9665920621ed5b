import { openForFile } from '@tidewatch/harness/opened';
import {
  type Asked,
  calls,
  fails,
  hangs,
  inTurn,
  type Script,
  says,
  saysJson,
  startScriptedModel,
} from '@tidewatch/investigator/model/testing/scripted-model';
import { describe, expect, test } from 'vitest';
import { createClient, inOwnOrganization, uniqueName } from '../client.ts';
import { isGiven, openTarget } from '../target.ts';
import { enact, endedInvestigation, investigationOf } from './incident.ts';

const KEY = 'sk-scripted';
const WAITS_S = 8;
/** A valid id that does not exist. */
const INVENTED = `evd_${'f'.repeat(12)}7${'f'.repeat(19)}`;

const model = await openForFile(startScriptedModel());
// Hosts of earlier suites may be investigated as soon as the target is open: no test has begun, but a failure would count.
model.does(says(answer({})));
const target = await openForFile(
  openTarget({
    TIDEWATCH_LLM_PROVIDER: 'openai-compatible',
    TIDEWATCH_LLM_BASE_URL: model.baseUrl,
    TIDEWATCH_LLM_MODEL: 'scripted',
    TIDEWATCH_LLM_API_KEY: KEY,
    TIDEWATCH_LLM_RUN_SECONDS: String(WAITS_S),
  }),
);
const client = createClient(await inOwnOrganization(target));

describe.skipIf(isGiven)('[needs settings of its own] an investigation with a model', () => {
  /**
   * Produces an incident while the model responds as scripted; the findings of the statistics do not depend on the model.
   */
  async function investigated(script: Script) {
    const host = uniqueName('victim');
    model.does(onlyFor(host, script));
    const { alert } = await enact(client, { trouble: true, host });
    const whole = await endedInvestigation(client, await investigationOf(client, alert.id));
    const { findings, analysis } = whole;
    expect(whole).toMatchObject({ status: 'completed', conclusion: 'root_cause_found', host });
    const cause = findings.find(({ id }: { id: string }) => id === analysis.root_cause_finding_id);
    expect(cause.subject).toEqual({ kind: 'process', name: 'runaway-job' });
    const minted = new Set(whole.evidence.map(({ id }: { id: string }) => id));
    const cited = JSON.stringify(whole).match(/evd_[0-9a-f]{32}/g) ?? [];
    expect(cited.filter((id) => !minted.has(id))).toEqual([]);
    expect(JSON.stringify(whole)).not.toMatch(new RegExp(`CANARY|${KEY}`));
    const asked = model.asked.filter(({ raw }) => raw.includes(host));
    expect(asked.length, analysis.model_reason ?? 'no reason').toBeGreaterThan(0);
    return { whole, analysis };
  }

  test('that is honest has the model’s analysis, each sentence with its citation', async () => {
    const { whole, analysis } = await investigated(
      says((asked) => {
        const known = causeIn(asked);
        if (known === null) return answer({});
        const text = 'The process runaway-job took the processor.';
        const claim = { text, evidence_ids: [known.evidence] };
        return answer({ most_likely_finding_id: known.cause, summary: [claim], root_cause: [claim] });
      }),
    );
    expect(analysis).toMatchObject({
      source: 'llm',
      model: 'scripted',
      model_status: 'used',
      claims_dropped: 0,
      root_cause: expect.stringMatching(
        /^The process runaway-job took the processor\. \[evd_[0-9a-f]{32}\]$/,
      ),
    });
    expect(whole.usage).toMatchObject({ model_calls: 1, input_tokens: 100, output_tokens: 50 });
  });

  test('that hallucinates contains nothing that the model invents', async () => {
    const claim = { text: 'CANARY did it.', evidence_ids: [INVENTED] };
    const { analysis } = await investigated(
      says(answer({ summary: [claim], root_cause: [claim], details: [claim] })),
    );
    expect(analysis).toMatchObject({ source: 'statistics', model_status: 'used', claims_dropped: 3 });
  });

  test('that injects contains no link, image or HTML of the model, and calls of unknown tools have no effect', async () => {
    const text = '[click](javascript:alert(1)) ![](https://evil.example/a.png) <img src=x> the process rose';
    const injected = says((asked) => {
      const known = causeIn(asked);
      return answer(known === null ? {} : { details: [{ text, evidence_ids: [known.evidence] }] });
    });
    const { whole, analysis } = await investigated(
      inTurn(calls(['delete_service', { host: '*' }]), injected),
    );
    expect(analysis).toMatchObject({ source: 'llm', model_status: 'used' });
    expect(analysis.details_markdown).toContain('the process rose');
    expect(analysis.details_markdown).not.toMatch(/javascript:|evil\.example|<img|!\[/);
    expect((await client.ask('GET', `/services/${whole.service_id}`)).status).toBe(200);
  });

  test('that fails has the texts of the statistics, and the reason of the failure', async () => {
    const { analysis } = await investigated(fails(500, { 'retry-after': '0' }));
    expect(analysis).toMatchObject({
      source: 'statistics',
      model_status: 'failed',
      model_reason: expect.any(String),
    });
  });

  test('that does not answer in JSON has the texts of the statistics, and the reason of the failure', async () => {
    const { analysis } = await investigated(says('As a model I would say: CANARY {'));
    expect(analysis).toMatchObject({ source: 'statistics', model_status: 'failed' });
  });

  test('that hangs ends after the timeout in the settings', async () => {
    const { analysis } = await investigated(hangs());
    expect(analysis).toMatchObject({
      source: 'statistics',
      model_status: 'failed',
      model_reason: `the model did not answer within ${WAITS_S} seconds`,
    });
  });

  test('that has recovered has the model’s analysis again', async () => {
    const { analysis } = await investigated(saysJson(JSON.parse(answer({}))));
    expect(analysis).toMatchObject({
      model_status: 'used',
      model_reason: 'the answer of the model contains no claims',
    });
  });
});

/**
 * Answers what is asked about a host by a script, and all else with an answer without claims: hosts of earlier suites may be
 * investigated by the same processes, and their failures would also open the circuit breaker.
 */
function onlyFor(host: string, script: Script): Script {
  const otherwise = says(answer({}));
  return (asked, response) => (asked.raw.includes(host) ? script : otherwise)(asked, response);
}

/** The finding that the prompt names as the cause, and a piece of its evidence; null if a run found none. */
function causeIn({ body }: Asked): { cause: string; evidence: string } | null {
  const parts = (body.messages ?? []).flatMap(({ content }): { text?: string }[] =>
    typeof content === 'string' ? [{ text: content }] : ((content ?? []) as { text?: string }[]),
  );
  const text = parts.map((part) => part.text ?? '').join('\n');
  const data = JSON.parse(/<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>/.exec(text)?.[2] ?? '{}');
  const cause = data.findings.find(({ id }: { id: string }) => id === data.root_cause_finding_id);
  return cause === undefined ? null : { cause: cause.id, evidence: cause.evidence_ids[0] };
}

/** A valid answer of the model, with the given fields replaced. */
function answer(otherwise: object): string {
  const nothing = { most_likely_finding_id: null, summary: [], root_cause: [], details: [] };
  return JSON.stringify({ ...nothing, ...otherwise });
}
