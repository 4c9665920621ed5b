import { openForFile } from '@tidewatch/harness/opened';
import { afterAll, describe, expect, it } from 'vitest';
import {
  expectStatistics,
  explainHarness,
  HONEST,
  openLedger,
  settingsFor,
} from '../testing/explain.harness.ts';
import {
  calls,
  drips,
  fails,
  floods,
  hangs,
  inTurn,
  type Script,
  says,
  saysAtMost,
  saysJson,
  startScriptedModel,
} from './testing/scripted-model.ts';

const model = await openForFile(startScriptedModel());
const harness = explainHarness(model.baseUrl);
afterAll(() => harness.metrics.close());

describe('an explanation without an answer of the model', () => {
  const settings = () =>
    settingsFor(model.baseUrl, { run: { calls: 4, tokens: 200_000, seconds: 1, answerTokens: 1_000 } });

  it.each<[string, () => Script, string]>([
    ['hangs', hangs, 'did not answer within 1 seconds'],
    ['drips', drips, 'did not answer within 1 seconds'],
  ])('ends after its time limit when the server %s', async (_, script, reason) => {
    model.does(script());
    const explanation = await harness.run({}, { settings: settings() });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain(reason);
  });

  it('retries a call once after status 500', async () => {
    model.does(fails(500, { 'retry-after': '0' }));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the model’s server failed (500)');
    expect(explanation.usage.model_calls).toBe(2);
    expect(model.asked).toHaveLength(2);
  });

  it('uses the answer of the retry after status 429', async () => {
    model.does(inTurn(fails(429, { 'retry-after': '0' }), saysJson(HONEST)));
    const { analysis, usage } = await harness.run();
    expect(analysis.source).toBe('llm');
    expect(usage).toMatchObject({ model_calls: 2, input_tokens: 100, output_tokens: 50 });
  });

  it.each<[string, () => Script, string]>([
    [
      'asks for a longer pause than there is time',
      () => fails(429, { 'retry-after': '3600' }),
      'too many requests (429)',
    ],
    ['refuses the key', () => fails(401), 'refused the key (401)'],
    ['has no such model', () => fails(404), 'no such model'],
    ['answers without end', floods, 'larger than 1 MiB'],
    [
      'answers with text that is not JSON',
      () => says('As a model I would say: CANARY {'),
      'did not match the required schema',
    ],
    ['answers with JSON of another form', () => saysJson({ CANARY: 1 }), 'did not match the required schema'],
    [
      'answers with a body that is not a completion',
      () => (__, response) => response.writeHead(200).end('CANARY'),
      'did not match the required schema',
    ],
    [
      'truncates the answer at the limit of tokens',
      () => saysAtMost('{"summary": [{"text": "CANARY'),
      'exceeded the limit of tokens',
    ],
    ['answers with an empty text', () => says(''), 'did not match the required schema'],
  ])('does not retry when the server %s', async (_, script, reason) => {
    model.does(script());
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain(reason);
    expect(model.asked).toHaveLength(1);
  });

  it('follows no redirect of the server', async () => {
    const elsewhere = await startScriptedModel();
    elsewhere.does(saysJson(HONEST));
    model.does(fails(307, { location: `${elsewhere.baseUrl}/chat/completions` }));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain('answered with a redirect (307)');
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });

  it('says that the server could not be reached', async () => {
    const gone = await startScriptedModel();
    await gone.close();
    const explanation = await harness.run({}, { settings: settingsFor(gone.baseUrl) });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the model’s server could not be reached (ECONNREFUSED)');
  });

  it('ends when the investigation is stopped', async () => {
    const stop = new AbortController();
    model.does(() => stop.abort());
    const explanation = await harness.run({}, { signal: stop.signal });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the investigation was stopped');
  });

  it('is skipped when no time is left', async () => {
    model.does(saysJson(HONEST));
    expectStatistics(await harness.run({ deadline: Date.now() + 500 }), 'skipped');
    expect(model.asked).toEqual([]);
  });

  it('is skipped for a minute after five failures in a row', async () => {
    let now = Date.now();
    const { createBreaker } = await import('./provider/breaker.ts');
    const breaker = createBreaker(() => now);
    model.does(fails(401));
    for (let time = 0; time < 5; time += 1) await harness.run({}, { breaker });
    const explanation = await harness.run({}, { breaker });
    expectStatistics(explanation, 'skipped');
    expect(model.asked).toHaveLength(5);
    now += 60_000;
    model.does(saysJson(HONEST));
    expect((await harness.run({}, { breaker })).analysis.source).toBe('llm');
  });
});

describe('the limits of a run', () => {
  it('skip a call that would exceed the limit of tokens', async () => {
    model.does(saysJson(HONEST));
    const settings = settingsFor(model.baseUrl, {
      run: { calls: 4, tokens: 1_500, seconds: 20, answerTokens: 1_000 },
    });
    const explanation = await harness.run({}, { settings });
    expectStatistics(explanation, 'skipped');
    expect(explanation.analysis.model_reason).toBe('the limit of tokens for one investigation is reached');
    expect(explanation.usage.model_calls).toBe(0);
    expect(model.asked).toEqual([]);
  });

  it('skip a call that the ledger refuses, or for which the ledger fails', async () => {
    model.does(saysJson(HONEST));
    const refused = await harness.run(
      {},
      { ledger: { reserve: async () => ({ refused: 'the limit is reached' }) } },
    );
    expectStatistics(refused, 'skipped');
    expect(refused.analysis.model_reason).toBe('the limit is reached');
    const broken = await harness.run({}, { ledger: { reserve: () => Promise.reject(new Error('CANARY')) } });
    expectStatistics(broken, 'skipped');
    expect(model.asked).toEqual([]);
  });

  it('reserve and settle each call in the ledger', async () => {
    model.does(inTurn(fails(500, { 'retry-after': '0' }), saysJson(HONEST)));
    const ledger = openLedger();
    await harness.run(
      {},
      { ledger, settings: settingsFor(model.baseUrl, { prices: { input: 3, output: 15 } }) },
    );
    expect(ledger.spent()).toEqual({ calls: 2, inputTokens: 100, outputTokens: 50, costMicros: 1_050 });
  });

  it('keep the reservation of a call whose spend is unknown', async () => {
    model.does(hangs());
    const ledger = openLedger();
    const run = { calls: 4, tokens: 200_000, seconds: 1, answerTokens: 1_000 };
    const { usage } = await harness.run({}, { ledger, settings: settingsFor(model.baseUrl, { run }) });
    await expect.poll(() => ledger.spent()).toMatchObject({ calls: 1, outputTokens: 1_000 });
    expect(usage).toMatchObject({ model_calls: 1, output_tokens: 1_000 });
    expect(ledger.spent().inputTokens).toBeGreaterThan(1_000);
  });

  it('forbid tools in the last call, so that it answers', async () => {
    const asks = calls(['find_hosts', { host: null, tags: [] }]);
    model.does((asked, response) =>
      (asked.body.tool_choice === 'none' ? saysJson(HONEST) : asks)(asked, response),
    );
    const { analysis, usage } = await harness.run();
    expect(analysis.source).toBe('llm');
    expect(usage).toMatchObject({ model_calls: 4, tool_calls: 3 });
  });

  it('end a run without an answer when the model calls tools in every call', async () => {
    model.does(calls(['find_hosts', { host: null, tags: [] }]));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain('called tools until its limit of calls');
    expect(model.asked).toHaveLength(4);
  });
});
