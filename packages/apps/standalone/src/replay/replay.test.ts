import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Investigation } from '@tidewatch/contracts/investigations/investigation';
import { folderForFile, openForFile } from '@tidewatch/harness/opened';
import { CAUSE, CPU, exampleCase, INVENTED, SHIFT } from '@tidewatch/investigator/model/testing/example-case';
import {
  calls,
  inTurn,
  saysJson,
  startScriptedModel,
} from '@tidewatch/investigator/model/testing/scripted-model';
import { questionKey } from '@tidewatch/investigator/model/tools/question-key';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runReplay } from './run.ts';

const ID = 'inv_0197f3a1c0de7b3c9a51d2e4f6a80b1c';
const KEY = 'tw_ab_0123456789abcdef';
const QUESTION = { host: null, tags: [] };
const folder = folderForFile();

function record(otherwise: Partial<Investigation> = {}): Investigation {
  const { rootCauseFindingId, ...of } = exampleCase();
  const asked = {
    ...of.evidence[0]!,
    id: `evd_${'a'.repeat(32)}`,
    points: [{ host: 'web-09' }],
    stats: { asked_by: 'model', question: questionKey('find_hosts', { host: null, tags: {}, limit: 50 }) },
  };
  return {
    ...of,
    id: ID,
    status: 'completed',
    service_id: 'svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c',
    alert_ids: [],
    storm_alerts: 0,
    findings: of.findings.map((each) => ({ ...each, service_id: 'svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c' })),
    evidence: [...of.evidence, asked],
    created_at: of.to,
    started_at: of.to,
    completed_at: of.to,
    trigger: 'alert',
    created_by: null,
    failure: null,
    timeline: [],
    recommendations: [],
    usage: null,
    feedback: null,
    analysis: {
      summary: 's',
      root_cause: null,
      root_cause_finding_id: rootCauseFindingId,
      inconclusive_reason: null,
      details_markdown: '',
      source: 'statistics',
      model: null,
      model_status: 'not_configured',
      model_reason: null,
      claims_dropped: 0,
    },
    ...otherwise,
  };
}

const answer = (named: string | null) => ({
  most_likely_finding_id: named,
  summary: [
    { text: 'It rose to 96.', evidence_ids: [CPU] },
    { text: 'CANARY', evidence_ids: [INVENTED] },
  ],
  root_cause: [],
  details: [],
});

const model = await openForFile(startScriptedModel());

describe('npm run investigate:replay', () => {
  let lines: string[];
  const served: string[] = [];
  const service = createServer((request, response) => {
    served.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(record()));
  });
  const file = join(folder, 'inv.json');

  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    writeFileSync(file, JSON.stringify(record()));
    writeFileSync(join(folder, 'admin-key'), `${KEY}\n`);
  });
  beforeEach(() => {
    lines = [];
    served.length = 0;
  });
  afterAll(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  const run = (args: string[], env: Record<string, string> = configured()) =>
    runReplay({
      args,
      env,
      directory: folder,
      clock: Date.now,
      signal: new AbortController().signal,
      print: (line) => lines.push(line),
    });
  const configured = () => ({
    TIDEWATCH_LLM_PROVIDER: 'openai-compatible',
    TIDEWATCH_LLM_MODEL: 'scripted',
    TIDEWATCH_LLM_BASE_URL: model.baseUrl,
  });

  it('prints the kept claims, and whether the cause is the same as in the record', async () => {
    model.does(saysJson(answer(CAUSE)));
    expect(await run(['inv.json'])).toBe(true);
    const text = lines.join('\n');
    expect(text).toContain(`summary: It rose to 96. [${CPU}]`);
    expect(text).toContain('dropped: CANARY (it cites evidence that does not exist)');
    expect(text).toContain(
      '1 claims kept, 1 dropped; agrees with the record: yes, with people: nothing to compare with',
    );
  });

  it('reads only the record from the service, with the key', async () => {
    model.does(saysJson(answer(null)));
    const { port } = service.address() as AddressInfo;
    await run([ID, '--url', `http://127.0.0.1:${port}`, '--data', '.', '--json']);
    expect(served).toEqual([`GET /api/v1/investigations/${ID} ${KEY}`]);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      id: ID,
      model_status: 'used',
      named_finding_id: null,
      recorded_finding_id: CAUSE,
      score: { kept: 1, dropped: 1, agrees_with_record: false, agrees_with_people: null },
    });
  });

  it('compares answers of the model with the feedback of people, and sums the results', async () => {
    const said = (cause: string): Partial<Investigation> => ({
      feedback: {
        helpful: false,
        actual_root_cause: cause,
        comment: null,
        at: exampleCase().to,
        by: { key_id: 'key_0197f3a1c0de7b3c9a51d2e4f6a80b1c', name: 'k' },
      },
    });
    writeFileSync(join(folder, 'right.json'), JSON.stringify(record(said('Somebody ran Stress by hand'))));
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify(record(said('a backup'))));
    model.does(inTurn(saysJson(answer(CAUSE)), saysJson(answer(SHIFT))));
    await run(['right.json', 'wrong.json']);
    expect(lines.at(-1)).toBe(
      '2 of 2 answered; 2 claims kept, 2 dropped; agree with the record: 1 of 2, with people: 1 of 2',
    );
  });

  it('answers tool calls from the evidence that was stored with the investigation', async () => {
    model.does(
      inTurn(
        calls(['find_hosts', QUESTION], ['find_hosts', { ...QUESTION, host: 'x' }]),
        saysJson(answer(CAUSE)),
      ),
    );
    await run(['inv.json']);
    const [found, missing] = (model.asked.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool');
    expect(found?.content).toContain('web-09');
    expect(missing?.content).toContain('nothing with this name');
  });

  it('prints the prompt in a dry run, without calling a model', async () => {
    model.does(saysJson(answer(CAUSE)));
    expect(await run(['inv.json', '--dry-run'], {})).toBe(true);
    expect(lines.join('\n')).toContain(CPU);
    expect(lines.join('\n')).not.toContain('a'.repeat(32));
    expect(model.asked).toEqual([]);
  });

  it('reports that the model gave no answer', async () => {
    model.does((_, response) => response.writeHead(401).end());
    expect(await run(['inv.json'])).toBe(false);
    expect(lines.join('\n')).toContain('failed, the model’s server refused the key (401)');
  });

  it.each<[string, string[], RegExp]>([
    ['nothing', [], /usage/],
    ['an unknown option', ['inv.json', '--write'], /usage/],
    ['a file that is not there', ['nowhere.json'], /cannot be read/],
    ['a file that is no investigation', ['admin-key'], /cannot be read/],
  ])('refuses %s', async (_, args, message) => {
    await expect(run(args)).rejects.toThrow(message);
  });

  it('is refused if no model is configured', async () => {
    await expect(run(['inv.json'], { OPENAI_API_KEY: 'sk' })).rejects.toThrow('No model is configured');
  });
});
