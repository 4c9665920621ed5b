import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claim } from './answer/answer.ts';
import { type ExplainHarness, explainHarness, KEY, openBook, settingsFor } from './explain.harness.ts';
import type { Explanation } from './explain.ts';
import {
  CAUSE,
  CPU,
  exampleCase,
  INVENTED,
  PEERS,
  SHIFT,
  STATISTICS,
  STRESS,
} from './testing/example-case.ts';
import {
  calls,
  drips,
  fails,
  floods,
  hangs,
  inTurn,
  type Script,
  type ScriptedModel,
  says,
  saysAtMost,
  saysJson,
  startScriptedModel,
} from './testing/scripted-model.ts';

let model: ScriptedModel;
let harness: ExplainHarness;

beforeAll(async () => {
  model = await startScriptedModel();
  harness = explainHarness(model.baseUrl);
});
afterAll(async () => {
  await model.close();
  harness.metrics.close();
});

const claim = (text: string, ...ids: string[]): Claim => ({ text, evidence_ids: ids });

const answer = (otherwise: object = {}) => ({
  most_likely_finding_id: CAUSE,
  summary: [],
  root_cause: [],
  details: [],
  ...otherwise,
});

const HONEST = answer({
  summary: [claim('cpu_percent of web-01 rose from 22 to 96 at 14:31.', CPU)],
  root_cause: [claim('The process stress took 72 % of a processor.', STRESS)],
  details: [claim('None of the 12 peers moved.', PEERS)],
});

/** The statistics stand, and nothing of the model is left. */
function expectStatistics(explanation: Explanation, status: 'failed' | 'skipped' | 'used'): void {
  expect(explanation.analysis).toMatchObject({
    ...STATISTICS,
    model_status: status,
    model_reason: expect.any(String),
    claims_dropped: expect.any(Number),
  });
  expect(JSON.stringify({ ...explanation, judged: null })).not.toMatch(/CANARY|sk-secret|ffff7/);
}

describe('a model that is honest', () => {
  it('words the analysis, and each sentence cites', async () => {
    model.does(saysJson(HONEST));
    const { analysis, usage } = await harness.run();
    expect(analysis).toEqual({
      summary: `cpu_percent of web-01 rose from 22 to 96 at 14:31. [${CPU}]`,
      root_cause: `The process stress took 72 % of a processor. [${STRESS}]`,
      root_cause_finding_id: CAUSE,
      details_markdown: `- None of the 12 peers moved. [${PEERS}]\n\nBy the statistics.`,
      source: 'llm',
      model: 'scripted',
      model_status: 'used',
      model_reason: null,
      claims_dropped: 0,
    });
    expect(usage).toMatchObject({ model_calls: 1, tool_calls: 0, input_tokens: 100, output_tokens: 50 });
  });

  it('is asked once, for claims by a schema, with our key and nobody else’s', async () => {
    model.does(saysJson(HONEST));
    await harness.run();
    const [asked, ...more] = model.asked;
    expect(more).toEqual([]);
    expect(asked).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(asked?.body).toMatchObject({
      model: 'scripted',
      max_tokens: 1_000,
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { required: ['most_likely_finding_id', 'summary', 'root_cause', 'details'] } },
      },
    });
    expect(asked?.raw).toContain(CPU);
  });

  it('may write its JSON into a fence', async () => {
    model.does(says(`\`\`\`json\n${JSON.stringify(HONEST)}\n\`\`\``));
    expect((await harness.run()).analysis).toMatchObject({ source: 'llm', model_status: 'used' });
  });

  it('says nothing about a cause where the statistics know none', async () => {
    model.does(saysJson(HONEST));
    const { analysis } = await harness.run({
      case: exampleCase({ conclusion: 'inconclusive', rootCauseFindingId: null }),
      statistics: { ...STATISTICS, root_cause: null, root_cause_finding_id: null },
    });
    expect(analysis).toMatchObject({ root_cause: null, root_cause_finding_id: null, claims_dropped: 0 });
    expect(analysis.details_markdown).toContain('The process stress took 72 %');
  });

  it('does not move the cause that the statistics found', async () => {
    const other = [claim('web-01 itself moved from 22 to 96.', PEERS)];
    model.does(saysJson(answer({ most_likely_finding_id: SHIFT, root_cause: other })));
    const { analysis, judged } = await harness.run();
    expect(analysis).toMatchObject({ root_cause_finding_id: CAUSE, root_cause: STATISTICS.root_cause });
    expect(analysis.details_markdown).toContain('web-01 itself moved');
    expect(judged?.namedFindingId).toBe(SHIFT);
  });

  it('is asked with nothing to cite, too', async () => {
    model.does(saysJson(answer({ most_likely_finding_id: null })));
    const { analysis } = await harness.run({
      case: exampleCase({ findings: [], evidence: [], rootCauseFindingId: null }),
    });
    expect(analysis).toMatchObject({
      source: 'statistics',
      model_status: 'used',
      model_reason: 'the model claimed nothing',
    });
  });
});

describe('a model that invents', () => {
  it.each<[string, Claim, string]>([
    ['evidence', claim('CANARY did it', INVENTED), 'does not exist'],
    ['evidence beside a real piece', claim('CANARY did it', CPU, INVENTED), 'does not exist'],
    ['evidence in a sentence', claim(`CANARY did it [${INVENTED}]`, CPU), 'does not exist'],
    ['evidence within a word', claim(`CANARY x${INVENTED}`, CPU), 'does not exist'],
    [
      'evidence behind invisible characters',
      claim(`CANARY e\u200bvd_${INVENTED.slice(4)}`, CPU),
      'does not exist',
    ],
    ['half an id', claim('CANARY [evd_0197]', CPU), 'does not exist'],
    ['another sort of id', claim(`CANARY alr_${'0'.repeat(32)}`, CPU), 'does not exist'],
    ['without evidence', claim('CANARY did it'), 'no evidence'],
    [
      'by citing everything',
      claim('CANARY', ...Array.from({ length: 13 }, (_, n) => `${CPU}${n}`)),
      'everything',
    ],
    ['a number', claim('CANARY rose to 4321.', CPU), 'it says 4321'],
    ['a time', claim('CANARY began at 03:17.', CPU), 'it says 03:17'],
    ['nothing', claim('— 7 —', CPU), 'says nothing'],
  ])('%s: the claim is dropped and counted', async (_, invented, reason) => {
    model.does(saysJson(answer({ summary: [invented], root_cause: [invented], details: [invented] })));
    const explanation = await harness.run();
    expectStatistics(explanation, 'used');
    expect(explanation.analysis.claims_dropped).toBe(3);
    expect(explanation.judged?.dropped.map((each) => each.reason)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining(reason)),
    );
  });

  it('keeps what else it says', async () => {
    model.does(saysJson({ ...HONEST, details: [claim('CANARY', INVENTED), claim('No peer moved.', PEERS)] }));
    const { analysis } = await harness.run();
    expect(analysis).toMatchObject({ source: 'llm', claims_dropped: 1 });
    expect(JSON.stringify(analysis)).not.toContain('CANARY');
    expect(analysis.details_markdown).toContain('No peer moved.');
  });

  it('a finding: the answer is not of the form', async () => {
    model.does(saysJson({ ...HONEST, most_likely_finding_id: `fnd_${'0'.repeat(32)}` }));
    expectStatistics(await harness.run(), 'failed');
  });

  it('more claims than anybody reads', async () => {
    const many = Array.from({ length: 40 }, () => claim('No peer moved.', PEERS));
    model.does(saysJson(answer({ details: many })));
    const { analysis } = await harness.run();
    expect(analysis.claims_dropped).toBe(28);
    expect(analysis.details_markdown.match(/No peer moved/g)).toHaveLength(12);
  });
});

describe('a model that injects', () => {
  it('makes no link, image, heading or HTML', async () => {
    const text =
      '![proof](https://evil.example/a.png) [click](javascript:alert(1)) <img src=x> http://evil.example `rm` **now** root@evil.example [a]: https://evil.example';
    model.does(saysJson(answer({ summary: [claim(text, CPU)], details: [claim(`x\n\n# ${text}`, CPU)] })));
    const { analysis } = await harness.run();
    expect(analysis.source).toBe('llm');
    for (const words of [analysis.summary, analysis.details_markdown]) {
      expect(words.replaceAll(`[${CPU}]`, '')).not.toMatch(/[[\]<>`*]|https?:|www\.|javascript:|\n#|@/);
    }
  });

  it('tells no secret that it was not shown', async () => {
    model.does(saysJson(answer({ details: [claim('It ran with --password=hunter2.', CPU)] })));
    expect(JSON.stringify(await harness.run())).not.toContain('hunter2');
  });
});

describe('a model that does not answer', () => {
  const settings = () =>
    settingsFor(model.baseUrl, { run: { calls: 4, tokens: 200_000, seconds: 1, answerTokens: 1_000 } });

  it.each<[string, () => Script, string]>([
    ['hangs', hangs, 'did not answer within 1 seconds'],
    ['drips', drips, 'did not answer within 1 seconds'],
  ])('and %s, is cut', async (_, script, reason) => {
    model.does(script());
    const explanation = await harness.run({}, { settings: settings() });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain(reason);
  });

  it('and fails, and fails again, is asked twice', async () => {
    model.does(fails(500, { 'retry-after': '0' }));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the model’s server failed (500)');
    expect(explanation.usage.model_calls).toBe(2);
    expect(model.asked).toHaveLength(2);
  });

  it('at first, and then does, is used', async () => {
    model.does(inTurn(fails(429, { 'retry-after': '0' }), saysJson(HONEST)));
    const { analysis, usage } = await harness.run();
    expect(analysis.source).toBe('llm');
    expect(usage).toMatchObject({ model_calls: 2, input_tokens: 100, output_tokens: 50 });
  });

  it.each<[string, () => Script, string]>([
    [
      'wants a longer pause than there is time',
      () => fails(429, { 'retry-after': '3600' }),
      'too many requests (429)',
    ],
    ['refuses the key', () => fails(401), 'refused the key (401)'],
    ['knows no such model', () => fails(404), 'no such model'],
    ['floods', floods, 'answered without end'],
    ['answers no JSON', () => says('As a model I would say: CANARY {'), 'not of the form'],
    ['answers other JSON', () => saysJson({ CANARY: 1 }), 'not of the form'],
    [
      'answers no completion',
      () => (__, response) => response.writeHead(200).end('CANARY'),
      'not of the form',
    ],
    ['answers too much', () => saysAtMost('{"summary": [{"text": "CANARY'), 'longer than it may be'],
    ['answers nothing', () => says(''), 'not of the form'],
  ])('and %s, is asked once', async (_, script, reason) => {
    model.does(script());
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain(reason);
    expect(model.asked).toHaveLength(1);
  });

  it('and redirects, is not followed', async () => {
    const elsewhere = await startScriptedModel();
    elsewhere.does(saysJson(HONEST));
    model.does(fails(307, { location: `${elsewhere.baseUrl}/chat/completions` }));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain('redirects elsewhere (307)');
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });

  it('and is nowhere, is said to be nowhere', async () => {
    const gone = await startScriptedModel();
    await gone.close();
    const explanation = await harness.run({}, { settings: settingsFor(gone.baseUrl) });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the model’s server could not be reached (ECONNREFUSED)');
  });

  it('is no longer waited for when the investigation is stopped', async () => {
    const stop = new AbortController();
    model.does(() => stop.abort());
    const explanation = await harness.run({}, { signal: stop.signal });
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toBe('the investigation was stopped');
  });

  it('is not asked where no time is left', async () => {
    model.does(saysJson(HONEST));
    expectStatistics(await harness.run({ deadline: Date.now() + 500 }), 'skipped');
    expect(model.asked).toEqual([]);
  });

  it('five times in a row is left alone, and asked again after a minute', async () => {
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

describe('limits of a run', () => {
  it('skip a call that would cost too many tokens', async () => {
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

  it('skip what the book refuses, and what it cannot tell', async () => {
    model.does(saysJson(HONEST));
    const refused = await harness.run(
      {},
      { book: { reserve: async () => ({ refused: 'the limit is reached' }) } },
    );
    expectStatistics(refused, 'skipped');
    expect(refused.analysis.model_reason).toBe('the limit is reached');
    const broken = await harness.run({}, { book: { reserve: () => Promise.reject(new Error('CANARY')) } });
    expectStatistics(broken, 'skipped');
    expect(model.asked).toEqual([]);
  });

  it('are told before and after each call', async () => {
    model.does(inTurn(fails(500, { 'retry-after': '0' }), saysJson(HONEST)));
    const book = openBook();
    await harness.run(
      {},
      { book, settings: settingsFor(model.baseUrl, { prices: { input: 3, output: 15 } }) },
    );
    expect(book.spent()).toEqual({ calls: 2, inputTokens: 100, outputTokens: 50, costMicros: 1_050 });
  });

  it('keep a call as reserved of which nobody knows what it took', async () => {
    model.does(hangs());
    const book = openBook();
    const run = { calls: 4, tokens: 200_000, seconds: 1, answerTokens: 1_000 };
    const { usage } = await harness.run({}, { book, settings: settingsFor(model.baseUrl, { run }) });
    await expect.poll(() => book.spent()).toMatchObject({ calls: 1, outputTokens: 1_000 });
    expect(usage).toMatchObject({ model_calls: 1, output_tokens: 1_000 });
    expect(book.spent().inputTokens).toBeGreaterThan(1_000);
  });

  it('end with an answer: the last call may use no tool', async () => {
    const asks = calls(['find_hosts', { host: null, tags: [] }]);
    model.does((asked, response) =>
      (asked.body.tool_choice === 'none' ? saysJson(HONEST) : asks)(asked, response),
    );
    const { analysis, usage } = await harness.run();
    expect(analysis.source).toBe('llm');
    expect(usage).toMatchObject({ model_calls: 4, tool_calls: 3 });
  });

  it('end without an answer where the model goes on asking', async () => {
    model.does(calls(['find_hosts', { host: null, tags: [] }]));
    const explanation = await harness.run();
    expectStatistics(explanation, 'failed');
    expect(explanation.analysis.model_reason).toContain('asked for more data than it may');
    expect(model.asked).toHaveLength(4);
  });
});
