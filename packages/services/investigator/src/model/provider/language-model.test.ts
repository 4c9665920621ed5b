import { openForFile } from '@tidewatch/harness/opened';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { explainHarness, KEY, settingsFor } from '../../testing/explain.harness.ts';
import { CAUSE, CPU } from '../testing/example-case.ts';
import { fails, saysJson, startScriptedModel } from '../testing/scripted-model.ts';
import { openModel } from './language-model.ts';

const ANSWER = {
  most_likely_finding_id: CAUSE,
  summary: [{ text: 'It rose to 96.', evidence_ids: [CPU] }],
  root_cause: [],
  details: [],
};

const model = await openForFile(startScriptedModel());
const ambient = await openForFile(startScriptedModel());
ambient.does(saysJson(ANSWER));
const harness = explainHarness(model.baseUrl);
afterEach(() => vi.unstubAllEnvs());
afterAll(() => harness.metrics.close());

describe('openModel', () => {
  it('calls the API of Anthropic', async () => {
    model.does((asked, response) => {
      const content = [{ type: 'text', text: JSON.stringify(ANSWER) }];
      const usage = { input_tokens: 120, output_tokens: 30 };
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: asked.body.model, content };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...message, stop_reason: 'end_turn', stop_sequence: null, usage }));
    });
    const settings = settingsFor(model.baseUrl, { provider: 'anthropic', model: 'claude-sonnet-4-5' });
    const { analysis, usage } = await harness.run({}, { settings, model: openModel(settings) });
    expect(analysis).toMatchObject({
      summary: `It rose to 96. [${CPU}]`,
      source: 'llm',
      model: 'claude-sonnet-4-5',
    });
    expect(usage).toMatchObject({ input_tokens: 120, output_tokens: 30 });
    expect(model.asked[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': KEY } });
    expect(model.asked[0]?.body).toMatchObject({ max_tokens: 1_000, model: 'claude-sonnet-4-5' });
  });

  it.each(['openai-compatible', 'anthropic'] as const)(
    'for %s reads no variables of other programs',
    async (provider) => {
      for (const name of ['OPENAI', 'ANTHROPIC', 'AI_GATEWAY', 'LLM']) {
        vi.stubEnv(`${name}_API_KEY`, 'sk-ambient');
        vi.stubEnv(`${name}_BASE_URL`, ambient.baseUrl);
      }
      vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'sk-ambient');
      vi.stubEnv('HTTP_PROXY', ambient.baseUrl);
      vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', ambient.baseUrl);
      model.does(fails(401));
      const settings = settingsFor(model.baseUrl, { provider, apiKey: undefined });
      await harness.run({}, { settings, model: openModel(settings) });
      expect(model.asked).toHaveLength(1);
      expect(JSON.stringify(model.asked)).not.toContain('ambient');
      expect(ambient.asked).toEqual([]);
    },
  );
});
