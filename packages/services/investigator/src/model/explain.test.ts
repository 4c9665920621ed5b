import { openForFile } from '@tidewatch/harness/opened';
import { afterAll, describe, expect, it } from 'vitest';
import { answer, claim, expectStatistics, explainHarness, HONEST, KEY } from '../testing/explain.harness.ts';
import type { Claim } from './answer/answer.ts';
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
import { says, saysJson, startScriptedModel } from './testing/scripted-model.ts';

const model = await openForFile(startScriptedModel());
const harness = explainHarness(model.baseUrl);
afterAll(() => harness.metrics.close());

describe('an explanation', () => {
  it('has the kept claims of the model, each with its citations', async () => {
    model.does(saysJson(HONEST));
    const { analysis, usage } = await harness.run();
    expect(analysis).toEqual({
      summary: `cpu_percent of web-01 rose from 22 to 96 at 14:31. [${CPU}]`,
      root_cause: `The process stress took 72 % of a processor. [${STRESS}]`,
      root_cause_finding_id: CAUSE,
      inconclusive_reason: null,
      details_markdown: `- None of the 12 peers moved. [${PEERS}]\n\nBy the statistics.`,
      source: 'llm',
      model: 'scripted',
      model_status: 'used',
      model_reason: null,
      claims_dropped: 0,
    });
    expect(usage).toMatchObject({ model_calls: 1, tool_calls: 0, input_tokens: 100, output_tokens: 50 });
  });

  it('calls the model once, with the schema of the answer and the key of the settings', async () => {
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

  it('accepts JSON in a Markdown code fence', async () => {
    model.does(says(`\`\`\`json\n${JSON.stringify(HONEST)}\n\`\`\``));
    expect((await harness.run()).analysis).toMatchObject({ source: 'llm', model_status: 'used' });
  });

  it('has no root cause where the statistics are inconclusive', async () => {
    model.does(saysJson(HONEST));
    const { analysis } = await harness.run({
      case: exampleCase({ conclusion: 'inconclusive', rootCauseFindingId: null }),
      statistics: { ...STATISTICS, root_cause: null, root_cause_finding_id: null },
    });
    expect(analysis).toMatchObject({ root_cause: null, root_cause_finding_id: null, claims_dropped: 0 });
    expect(analysis.details_markdown).toContain('The process stress took 72 %');
  });

  it('keeps the cause of the statistics when the model names another finding', async () => {
    const other = [claim('web-01 itself moved from 22 to 96.', PEERS)];
    model.does(saysJson(answer({ most_likely_finding_id: SHIFT, root_cause: other })));
    const { analysis, checkedAnswer } = await harness.run();
    expect(analysis).toMatchObject({ root_cause_finding_id: CAUSE, root_cause: STATISTICS.root_cause });
    expect(analysis.details_markdown).toContain('web-01 itself moved');
    expect(checkedAnswer?.namedFindingId).toBe(SHIFT);
  });

  it('calls the model also without findings', async () => {
    model.does(saysJson(answer({ most_likely_finding_id: null })));
    const { analysis } = await harness.run({
      case: exampleCase({ findings: [], evidence: [], rootCauseFindingId: null }),
    });
    expect(analysis).toMatchObject({
      source: 'statistics',
      model_status: 'used',
      model_reason: 'the answer of the model contains no claims',
    });
  });
});

describe('an explanation drops a claim', () => {
  it.each<[string, Claim, string]>([
    ['that cites evidence that does not exist', claim('CANARY did it', INVENTED), 'does not exist'],
    [
      'that cites existing evidence and evidence that does not exist',
      claim('CANARY did it', CPU, INVENTED),
      'does not exist',
    ],
    [
      'with an unknown evidence id in its sentence',
      claim(`CANARY did it [${INVENTED}]`, CPU),
      'does not exist',
    ],
    ['with an unknown evidence id inside a word', claim(`CANARY x${INVENTED}`, CPU), 'does not exist'],
    [
      'with an unknown evidence id split by invisible characters',
      claim(`CANARY e\u200bvd_${INVENTED.slice(4)}`, CPU),
      'does not exist',
    ],
    ['with a partial evidence id', claim('CANARY [evd_0197]', CPU), 'does not exist'],
    ['with an id of another kind', claim(`CANARY alr_${'0'.repeat(32)}`, CPU), 'does not exist'],
    ['without a citation', claim('CANARY did it'), 'no evidence'],
    [
      'with more than 12 citations',
      claim('CANARY', ...Array.from({ length: 13 }, (_, n) => `${CPU}${n}`)),
      'more than 12',
    ],
    [
      'with a number that its evidence does not contain',
      claim('CANARY rose to 4321.', CPU),
      'it states 4321',
    ],
    ['with a time outside of its evidence', claim('CANARY began at 03:17.', CPU), 'it states 03:17'],
    ['without words', claim('— 7 —', CPU), 'contains no words'],
  ])('%s', async (_, invented, reason) => {
    model.does(saysJson(answer({ summary: [invented], root_cause: [invented], details: [invented] })));
    const explanation = await harness.run();
    expectStatistics(explanation, 'used');
    expect(explanation.analysis.claims_dropped).toBe(3);
    expect(explanation.checkedAnswer?.dropped.map((each) => each.reason)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining(reason)),
    );
  });

  it('and keeps the valid claims of the same answer', async () => {
    model.does(saysJson({ ...HONEST, details: [claim('CANARY', INVENTED), claim('No peer moved.', PEERS)] }));
    const { analysis } = await harness.run();
    expect(analysis).toMatchObject({ source: 'llm', claims_dropped: 1 });
    expect(JSON.stringify(analysis)).not.toContain('CANARY');
    expect(analysis.details_markdown).toContain('No peer moved.');
  });

  it('and all others when the answer names a finding that does not exist', async () => {
    model.does(saysJson({ ...HONEST, most_likely_finding_id: `fnd_${'0'.repeat(32)}` }));
    expectStatistics(await harness.run(), 'failed');
  });

  it('beyond the maximum number of claims of its kind', async () => {
    const many = Array.from({ length: 40 }, () => claim('No peer moved.', PEERS));
    model.does(saysJson(answer({ details: many })));
    const { analysis } = await harness.run();
    expect(analysis.claims_dropped).toBe(28);
    expect(analysis.details_markdown.match(/No peer moved/g)).toHaveLength(12);
  });
});

describe('the text of an explanation', () => {
  it('contains no link, image, heading or HTML of the model', async () => {
    const text =
      '![proof](https://evil.example/a.png) [click](javascript:alert(1)) <img src=x> http://evil.example `rm` **now** root@evil.example [a]: https://evil.example';
    model.does(saysJson(answer({ summary: [claim(text, CPU)], details: [claim(`x\n\n# ${text}`, CPU)] })));
    const { analysis } = await harness.run();
    expect(analysis.source).toBe('llm');
    for (const words of [analysis.summary, analysis.details_markdown]) {
      expect(words.replaceAll(`[${CPU}]`, '')).not.toMatch(/[[\]<>`*]|https?:|www\.|javascript:|\n#|@/);
    }
  });

  it('contains no secret that the model writes', async () => {
    model.does(saysJson(answer({ details: [claim('It ran with --password=hunter2.', CPU)] })));
    expect(JSON.stringify(await harness.run())).not.toContain('hunter2');
  });
});
