import { fakeService, json, problem } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { page, run } from './testing/run.harness.ts';

describe('the CLI exits', () => {
  it.each<[string, string[], RegExp, { code?: number; env?: Record<string, string> }?]>([
    ['an unknown option', ['alerts', 'list', '--bogus'], /unknown option/],
    ['a misspelt option', ['alerts', 'list', '--statsu', 'all'], /Did you mean --status/],
    ['a misspelt noun', ['chanels', 'list'], /Did you mean channels/],
    ['the placeholder of an id', ['alerts', 'show', 'alr_…'], /alr_… is the placeholder of an example/],
    [
      'the placeholder of a URL',
      ['channels', 'add', 'slack', 'https://hooks.slack.com/services/…'],
      /replace it by your own value/,
    ],
    [
      'the placeholder of an address in --url',
      ['services', 'list', '--url=https://<host>:8230'],
      /https:\/\/<host>:8230 is the placeholder of an example/,
    ],
    [
      'the placeholder of a key',
      ['services', 'list'],
      /TIDEWATCH_API_KEY is the placeholder of an example: replace it by your own value/,
      { env: { TIDEWATCH_API_KEY: 'tw_…' } },
    ],
    [
      'a placeholder in angle brackets as the key',
      ['services', 'list'],
      /placeholder of an example/,
      { env: { TIDEWATCH_API_KEY: '<API_KEY>' } },
    ],
    [
      'the placeholder of an address in TIDEWATCH_URL',
      ['services', 'list'],
      /https:\/\/tidewatch\.… is the placeholder of an example/,
      { env: { TIDEWATCH_URL: 'https://tidewatch.…' } },
    ],
    ['a misspelt verb', ['alerts', 'lst'], /Did you mean list/],
    ['a value that is not a duration', ['silences', 'create', '--for', 'long'], /duration/],
    ['neither --until nor --for', ['silences', 'create'], /one of --until .* and --for/],
    ['neither --alert nor --service', ['investigations', 'start'], /either --alert or --service/],
    ['a missing required option', ['investigations', 'feedback', 'inv_1'], /--helpful/],
    ['a missing file', ['rules', 'apply', '/nowhere.yaml'], /cannot be read: ENOENT/],
    ['an address without a scheme', ['services', 'list', '--url', 'nowhere'], /not an http/],
    [
      'no key',
      ['services', 'list'],
      /TIDEWATCH_API_KEY/,
      { env: { TIDEWATCH_API_KEY: '', TIDEWATCH_DATA_DIR: '/x' } },
    ],
    ['a service that cannot be reached', ['services', 'list'], /cannot be reached/, { code: 5 }],
  ])('with an error message for %s', async (_name, args, words, { code = 2, env = {} } = {}) => {
    const stderr = expect.stringMatching(words);
    expect(await run(undefined, args, env)).toMatchObject({ code, stdout: '', stderr });
  });

  it.each<[number, string, number]>([
    [401, 'key_invalid', 4],
    [403, 'scope_missing', 4],
    [404, 'not_found', 3],
    [409, 'conflict', 7],
    [422, 'validation_failed', 6],
    [500, 'internal_error', 1],
  ])('for the answer %d %s with code %d', async (status, name, code) => {
    const fault = { in: 'query', path: '/limit', code: 'x', message: 'Must be \u001b[31mless.' };
    const service = await fakeService(problem(status, name, {}, [fault]));
    const { stderr, ...ended } = await run(service, ['alerts', 'list', '--json']);
    expect(ended).toEqual({ code, stdout: '' });
    expect(stderr).toContain(
      `tidewatch: ${status} ${name}: It is ${name}.\n  /limit: Must be \\u001b[31mless.\n`,
    );
    expect(stderr).toContain('request req-1');
  });

  it('and prints the detail of an answer once when it repeats the only fault', async () => {
    const errors = [{ in: 'query', path: '/limit', code: 'x', message: 'Must be less.' }];
    const detail = '/limit: Must be less.';
    const service = await fakeService(
      json(422, {
        status: 422,
        code: 'validation_failed',
        title: 'Invalid request',
        detail,
        errors,
        request_id: 'req-1',
      }),
    );
    expect((await run(service, ['alerts', 'list'])).stderr).toBe(
      'tidewatch: 422 validation_failed: /limit: Must be less.\n',
    );
  });

  it('with 3 for a name that no service has', async () => {
    const service = await fakeService(json(200, page('services', [{ id: 'svc_1', name: 'web-011' }])));
    expect(await run(service, ['services', 'show', 'web-01'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('with 3 and names the id that does not exist, after the answers for the ids before it', async () => {
    const alert = { id: 'alr_1', summary: 'web-01: busy' };
    const service = await fakeService(json(200, alert), problem(404, 'not_found'));
    expect(await run(service, ['alerts', 'resolve', 'alr_1', 'alr_2'])).toMatchObject({
      code: 3,
      stdout: 'alr_1 resolved: web-01: busy\n',
      stderr: expect.stringMatching(/^at alr_2:\ntidewatch: 404 not_found/),
    });
  });

  it('after it filtered services by a tag whose name contains a colon', async () => {
    const service = await fakeService(json(200, page('services', [])));
    await run(service, ['services', 'list', '--tag', 'aws\\:zone=eu:1']);
    expect(new URL(`http://x${service.asked[0]?.path}`).searchParams.get('tag')).toBe('aws\\:zone:eu:1');
  });

  it('with 2 for a condition with a doubled operator, before any request', async () => {
    const service = await fakeService();
    const ended = await run(service, ['rules', 'create', '--name', 'A', '--when', 'cpu_percent >> 90']);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not METRIC OPERATOR NUMBER'),
    });
    expect(service.asked).toEqual([]);
  });

  it('after it created a rule on a metric whose name contains commas and an equals sign', async () => {
    const service = await fakeService(
      json(201, {
        id: 'rul_1',
        name: 'x',
        warnings: [],
        metric: 'a,b=c',
        condition: 'greater_than',
        threshold: 1,
        threshold_max: null,
        thresholds: null,
        transform: null,
        duration_minutes: 5,
        severity: 'info',
        overrides: [],
      }),
    );
    expect((await run(service, ['rules', 'create', '--name', 'x', '--when', 'a,b=c > 1'])).stdout).toBe(
      'rul_1 x: a,b=c > 1 for 5m\n',
    );
    expect(JSON.parse(String(service.asked[0]?.body))).toMatchObject({ metric: 'a,b=c', threshold: 1 });
  });

  it('after it filtered services by tags written with = or :', async () => {
    const service = await fakeService(json(200, page('services', [])));
    await run(service, ['services', 'list', '--tag', 'region=eu-1', '--tag', 'a:b']);
    expect(service.asked[0]?.path).toBe('/api/v1/services?tag=region%3Aeu-1&tag=a%3Ab');
  });

  it('with 0 for --version', async () => {
    expect(await run(undefined, ['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('with 0 for --help and with 2 without arguments, and prints the usage', async () => {
    const usage = expect.stringContaining('Usage: tidewatch');
    expect(await run(undefined, ['alerts', '--help'])).toEqual({ code: 0, stdout: usage, stderr: '' });
    expect(await run(undefined, [])).toEqual({ code: 2, stdout: '', stderr: usage });
  });
});

describe('with --json the CLI', () => {
  it('prints a page as the unchanged answer, and with --all one object per line', async () => {
    const answer = { ...page('alerts', [{ id: 'alr_1', unknown: true }]), more: 1 };
    const service = await fakeService(json(200, answer));
    expect(JSON.parse((await run(service, ['alerts', 'list', '--json'])).stdout)).toEqual(answer);
    expect((await run(service, ['--json', 'alerts', 'list', '--all'])).stdout).toBe(
      '{"id":"alr_1","unknown":true}\n',
    );
  });
});

describe('the doctor', () => {
  it('exits with 1 for a failed check and prints advice', async () => {
    const readiness = {
      status: 'unavailable',
      reasons: ['the database does not answer'],
      topology: 'embedded',
    };
    const service = await fakeService((request, response) =>
      (request.path === '/readyz' ? json(503, readiness) : problem(401, 'key_revoked'))(request, response),
    );
    const { code, stdout } = await run(service, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/failed +parts +the database does not answer\n +→ check that PostgreSQL runs/);
    expect(stdout).toMatch(/failed +key .*401 key_revoked.*\n +→ use a valid key/);
  });

  it('exits with 5 when the service does not answer', async () => {
    expect(await run(undefined, ['doctor'])).toMatchObject({ code: 5, stdout: '' });
  });
});
