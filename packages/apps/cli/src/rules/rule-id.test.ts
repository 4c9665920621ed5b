import { fakeService, json } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { page, run } from '../testing/run.harness.ts';

const RULES = page('rules', [
  { id: 'rul_1', external_id: null, name: 'CPU is busy' },
  { id: 'rul_2', external_id: 'disk', name: 'Disk is full' },
  { id: 'rul_3', external_id: null, name: 'disk' },
  { id: 'rul_4', external_id: null, name: 'CPU is busy' },
]);

const ruleAskedFor = (path = '') => new URL(`http://x${path}`).searchParams.get('rule_id');

describe('the option --rule', () => {
  it.each([
    ['Disk is full', 'rul_2'],
    ['disk', 'rul_2'],
  ])('of a list of alerts finds the rule with the name or external id %s', async (which, id) => {
    const service = await fakeService(json(200, RULES), json(200, page('alerts', [])));
    expect((await run(service, ['alerts', 'list', '--rule', which])).code).toBe(0);
    expect(service.asked.map(({ path }) => ruleAskedFor(path))).toEqual([null, id]);
  });

  it('with an id is sent as it is, without a request for the rules', async () => {
    const service = await fakeService(json(200, page('alerts', [])));
    await run(service, ['alerts', 'list', '--rule', 'rul_7']);
    expect(service.asked.map(({ path }) => ruleAskedFor(path))).toEqual(['rul_7']);
  });

  it.each([
    ['a name that no rule has', 'Memory', 3, /no rule has the external id or name Memory/],
    ['a name that several rules have', 'CPU is busy', 2, /2 rules have the name CPU is busy: give the id/],
  ])('fails for %s, instead of listing no alerts', async (_name, which, code, words) => {
    const service = await fakeService(json(200, RULES));
    expect(await run(service, ['alerts', 'list', '--rule', which])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(words),
    });
  });

  it('of a new silence finds each rule by its name', async () => {
    const silence = { id: 'sil_1', until: '2026-12-01T02:00:00.000Z' };
    const service = await fakeService(json(200, RULES), json(200, RULES), json(201, silence));
    await run(service, [
      ...['silences', 'create', '--for', '2h'],
      ...['--rule', 'Disk is full', '--rule', 'disk', '--rule', 'rul_9'],
    ]);
    expect(JSON.parse(String(service.asked.at(-1)?.body)).matchers.rule_ids).toEqual([
      'rul_2',
      'rul_2',
      'rul_9',
    ]);
  });
});
