import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type FakeService, fakeService, json, problem } from '@tidewatch/api-client/testing/fake-service';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from './run.ts';

let service: FakeService | undefined;
afterEach(() => service?.close());

const KEY = 'tw_0197_secret';

/** Runs a command in this process, with the key and the address of the fake service unless `env` says otherwise. */
async function run(args: string[], env: Record<string, string> = {}, input = '') {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runCommand({
    args,
    directory: '/',
    input: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    clock: Date.now,
    env: { TIDEWATCH_URL: service?.url ?? 'http://127.0.0.1:2', TIDEWATCH_API_KEY: KEY, ...env },
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [printed, noted] = [await text(stdout), await text(stderr)];
  expect(printed + noted).not.toContain(KEY);
  return { code, stdout: printed, stderr: noted };
}

const page = (noun: string, list: unknown[]) => ({
  [noun]: list,
  pagination: { total: list.length, has_more: false },
});

describe('exit codes', () => {
  it.each<[string, string[], Record<string, string>, number, RegExp]>([
    ['an option that is none', ['alerts', 'list', '--bogus'], {}, 2, /unknown option/],
    ['an option that is nearly one', ['alerts', 'list', '--statsu', 'all'], {}, 2, /Did you mean --status/],
    ['a noun that is nearly one', ['chanels', 'list'], {}, 2, /Did you mean channels/],
    ['an example that was not filled in', ['alerts', 'show', 'alr_…'], {}, 2, /alr_… is from an example/],
    [
      'an address of an example',
      ['channels', 'add', 'slack', 'https://hooks.slack.com/services/…'],
      {},
      2,
      /replace the placeholder/,
    ],
    [
      'a value that is from an example',
      ['services', 'list', '--url=https://<host>:8230'],
      {},
      2,
      /https:\/\/<host>:8230 is from an example/,
    ],
    [
      'a key from an example',
      ['services', 'list'],
      { TIDEWATCH_API_KEY: 'tw_…' },
      2,
      /TIDEWATCH_API_KEY is from an example: replace the placeholder with what you have/,
    ],
    [
      'a key in the style of others',
      ['services', 'list'],
      { TIDEWATCH_API_KEY: '<API_KEY>' },
      2,
      /from an example/,
    ],
    [
      'an address of the environment from an example',
      ['services', 'list'],
      { TIDEWATCH_URL: 'https://tidewatch.…' },
      2,
      /https:\/\/tidewatch\.… is from an example/,
    ],
    ['a verb that is none', ['alerts', 'lst'], {}, 2, /Did you mean list/],
    ['a value that is none', ['silences', 'create', '--for', 'long'], {}, 2, /duration/],
    ['options that exclude each other', ['silences', 'create'], {}, 2, /either --until or --for/],
    ['neither of two options', ['investigations', 'start'], {}, 2, /either --alert or --service/],
    ['an option that is missing', ['investigations', 'feedback', 'inv_1'], {}, 2, /--helpful/],
    ['a file that is none', ['rules', 'apply', '/nowhere.yaml'], {}, 2, /cannot be read: ENOENT/],
    ['an address that is none', ['services', 'list', '--url', 'nowhere'], {}, 2, /not an http/],
    [
      'no key',
      ['services', 'list'],
      { TIDEWATCH_API_KEY: '', TIDEWATCH_DATA_DIR: '/x' },
      2,
      /TIDEWATCH_API_KEY/,
    ],
    ['nobody there', ['services', 'list'], {}, 5, /cannot be reached/],
  ])('%s', async (_name, args, env, code, words) => {
    expect(await run(args, env)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) });
  });

  it.each<[number, string, number]>([
    [401, 'key_invalid', 4],
    [403, 'scope_missing', 4],
    [404, 'not_found', 3],
    [409, 'conflict', 7],
    [422, 'validation_failed', 6],
    [500, 'internal_error', 1],
  ])('the answer %d %s', async (status, name, code) => {
    const fault = { in: 'query', path: '/limit', code: 'x', message: 'Must be \u001b[31mless.' };
    service = await fakeService(problem(status, name, {}, [fault]));
    const { stderr, ...ended } = await run(['alerts', 'list', '--json']);
    expect(ended).toEqual({ code, stdout: '' });
    expect(stderr).toContain(
      `tidewatch: ${status} ${name}: It is ${name}.\n  /limit: Must be \\u001b[31mless.\n`,
    );
    expect(stderr).toContain('request req-1');
  });

  it('an answer whose detail is its only fault is printed once', async () => {
    const errors = [{ in: 'query', path: '/limit', code: 'x', message: 'Must be less.' }];
    const detail = '/limit: Must be less.';
    service = await fakeService(
      json(422, {
        status: 422,
        code: 'validation_failed',
        title: 'Invalid request',
        detail,
        errors,
        request_id: 'req-1',
      }),
    );
    expect((await run(['alerts', 'list'])).stderr).toBe(
      'tidewatch: 422 validation_failed: /limit: Must be less.\n',
    );
  });

  it('a name that no service has', async () => {
    service = await fakeService(json(200, page('services', [{ id: 'svc_1', name: 'web-011' }])));
    expect(await run(['services', 'show', 'web-01'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('one of several ids that nobody has', async () => {
    const alert = { id: 'alr_1', summary: 'web-01: busy' };
    service = await fakeService(json(200, alert), problem(404, 'not_found'));
    expect(await run(['alerts', 'resolve', 'alr_1', 'alr_2'])).toMatchObject({
      code: 3,
      stdout: 'alr_1 resolved: web-01: busy\n',
      stderr: expect.stringMatching(/^at alr_2:\ntidewatch: 404 not_found/),
    });
  });

  it('tags whose names have colons are asked for with a backslash before them', async () => {
    service = await fakeService(json(200, page('services', [])));
    await run(['services', 'list', '--tag', 'aws\\:zone=eu:1']);
    expect(new URL(`http://x${service.asked[0]?.path}`).searchParams.get('tag')).toBe('aws\\:zone:eu:1');
  });

  it('a condition with a doubled sign is refused before any request', async () => {
    service = await fakeService();
    const ended = await run(['rules', 'create', '--name', 'A', '--when', 'cpu_percent >> 90']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('is not METRIC SIGN NUMBER') });
    expect(service.asked).toEqual([]);
  });

  it('a metric whose name has commas and signs is evaluated by the rule that is created', async () => {
    service = await fakeService(
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
    expect((await run(['rules', 'create', '--name', 'x', '--when', 'a,b=c > 1'])).stdout).toBe(
      'rul_1 x: a,b=c > 1 for 5m\n',
    );
    expect(JSON.parse(String(service.asked[0]?.body))).toMatchObject({ metric: 'a,b=c', threshold: 1 });
  });

  it('tags are filtered as they are sent', async () => {
    service = await fakeService(json(200, page('services', [])));
    await run(['services', 'list', '--tag', 'region=eu-1', '--tag', 'a:b']);
    expect(service.asked[0]?.path).toBe('/api/v1/services?tag=region%3Aeu-1&tag=a%3Ab');
  });

  it('the version', async () => {
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('help and nothing at all', async () => {
    const usage = expect.stringContaining('Usage: tidewatch');
    expect(await run(['alerts', '--help'])).toEqual({ code: 0, stdout: usage, stderr: '' });
    expect(await run([])).toEqual({ code: 2, stdout: '', stderr: usage });
  });
});

describe('as JSON', () => {
  it('a page is the answer itself, and all pages an object to a line', async () => {
    const answer = { ...page('alerts', [{ id: 'alr_1', unknown: true }]), more: 1 };
    service = await fakeService(json(200, answer));
    expect(JSON.parse((await run(['alerts', 'list', '--json'])).stdout)).toEqual(answer);
    expect((await run(['--json', 'alerts', 'list', '--all'])).stdout).toBe('{"id":"alr_1","unknown":true}\n');
  });
});

describe('send', () => {
  const ignored = {
    code: 'unknown_field',
    message: 'Is not a known field and is ignored. Did you mean tags?',
  };

  it('asks for warnings and prints each once, by the first line that has it', async () => {
    const warnings = [{ ...ignored, path: '/1/tag', payloads: 2 }];
    const answer = { status: 'ok', events_accepted: 2, warnings };
    service = await fakeService(json(200, answer), json(200, answer));
    expect(await run(['send', '--batch', '2'], {}, '{}\n\n{}\n{}\n{}\n')).toEqual({
      code: 0,
      stdout: '4 payloads accepted, 0 refused, in 2 requests\n',
      stderr: `warning: line 3: /tag ${ignored.message} (2 payloads of its request)\n`,
    });
    expect(service.asked[0]?.headers).toMatchObject({ prefer: 'warnings' });
  });

  it('prints the warnings about a sample from arguments', async () => {
    const warnings = [{ ...ignored, path: '/tag', payloads: 1 }];
    service = await fakeService(json(200, { status: 'ok', events_accepted: 1, warnings }));
    expect(await run(['send', 'web-1', 'load=1'])).toEqual({
      code: 0,
      stdout: 'sent 1 value of web-1\n',
      stderr: `warning: /tag ${ignored.message}\n`,
    });
  });

  it('ends with 6 where a batch is refused, and says what was accepted before', async () => {
    const fault = { in: 'body', path: '/0/host', code: 'missing', message: 'Must be given.' };
    service = await fakeService(
      json(200, { status: 'ok', events_accepted: 1 }),
      problem(422, 'validation_failed', {}, [fault, { ...fault, path: '/0', message: 'Is not valid JSON.' }]),
    );
    expect(await run(['send', '--batch', '1'], {}, '{}\n{}\n{}\n')).toEqual({
      code: 6,
      stdout: '1 payloads accepted, 1 refused, in 2 requests\n',
      stderr: 'line 2: /host Must be given.\nline 2: Is not valid JSON.\n',
    });
    expect(service.asked).toHaveLength(2);
  });

  it('says what was accepted before the service went away', async () => {
    service = await fakeService(json(200, { status: 'ok', events_accepted: 1 }), problem(401, 'key_revoked'));
    expect(await run(['send', '--batch', '1'], {}, '{}\n{}\n')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('1 payloads were accepted before this:\ntidewatch: 401 key_revoked'),
    });
  });
});

describe('secrets', () => {
  const made = { id: 'key_1', name: 'agents\u001b', scopes: ['ingest'], secret: 'tw_made' };
  const create = ['keys', 'create', 'agents', '--scope', 'ingest'];

  it('are shown alone on their line', async () => {
    service = await fakeService(json(201, made));
    const { code, stdout } = await run(create);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'key_1 agents\\u001b (ingest)\ntw_made\n' });
    expect(JSON.parse(String(service.asked[0]?.body))).toEqual({ name: 'agents', scopes: ['ingest'] });
  });

  it('go to a new file of the user alone where that is asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidewatch-secret-'));
    const file = join(folder, 'key');
    service = await fakeService(problem(403, 'scope_missing'), json(201, made));
    expect((await run([...create, '--secret-file', file])).code).toBe(4);
    expect(existsSync(file)).toBe(false);
    const { code, stdout } = await run([...create, '--secret-file', file, '--json']);
    expect({ code, secret: JSON.parse(stdout).secret }).toEqual({ code: 0, secret: '…' });
    expect(readFileSync(file, 'utf8')).toBe('tw_made\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run([...create, '--secret-file', file])).code).toBe(2);
    expect(service.asked).toHaveLength(2);
    rmSync(folder, { recursive: true });
  });
});

describe('an investigation', () => {
  const finding = {
    id: 'fnd_1',
    kind: 'process',
    title: 'The process "stress\u001b" took the processor.',
    score: 0.934,
    host: 'web-01',
    subject: { kind: 'process', name: 'stress\u001b' },
  };
  const investigation = {
    id: 'inv_1',
    title: 'web-01 is busy',
    status: 'completed',
    host: 'web-01',
    findings: [finding],
    conclusion: 'root_cause_found',
    confidence: 'high',
    question: null,
    failure: null,
    alert_ids: ['alr_1'],
    from: '2026-11-21T14:00:00.000Z',
    to: '2026-11-21T14:36:00.000Z',
    analysis: {
      summary: 'It was "stress".',
      root_cause_finding_id: 'fnd_1',
      source: 'statistics',
      model: null,
    },
    timeline: [{ at: '2026-11-21T14:31:00.000Z', type: 'fired', title: 'An alert fired' }],
    recommendations: [
      { priority: 'high', title: 'Look at it', description: 'By ps.', command: 'ps -C stress', risk: 'none' },
    ],
    feedback: { helpful: true, actual_root_cause: 'a backup', comment: null },
  };

  it('is shown with what it says, what it found and what to do', async () => {
    service = await fakeService(json(200, investigation));
    const { code, stdout } = await run(['investigations', 'show', 'inv_1']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'web-01 is busy',
        '  id          inv_1',
        '  status      completed',
        '  conclusion  root_cause_found, confidence high',
        '  host        web-01',
        '  window      2026-11-21T14:00:00.000Z to 2026-11-21T14:36:00.000Z',
        '  alerts      alr_1',
        '  words by    statistics',
        '  feedback    helpful; a backup',
        '',
        'It was "stress".',
        '',
        'findings (1)',
        'SCORE  KIND             HOST    SUBJECT               WHAT',
        ' 0.93  process (cause)  web-01  process:stress\\u001b  The process "stress\\u001b" took the processor.',
        '',
        'timeline (1)',
        'AT                        TYPE   WHAT',
        '2026-11-21T14:31:00.000Z  fired  An alert fired',
        '',
        'what to do (1)',
        'high: Look at it',
        '  By ps.',
        '  $ ps -C stress',
        '  risk: none',
        '',
      ].join('\n'),
    );
  });
});

describe('doctor', () => {
  it('ends with 1 for a fault and says what to do', async () => {
    const readiness = {
      status: 'unavailable',
      reasons: ['the database does not answer'],
      topology: 'embedded',
    };
    service = await fakeService((request, response) =>
      (request.path === '/readyz' ? json(503, readiness) : problem(401, 'key_revoked'))(request, response),
    );
    const { code, stdout } = await run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/failed +parts +the database does not answer\n +→ see that PostgreSQL runs/);
    expect(stdout).toMatch(/failed +key .*401 key_revoked.*\n +→ use another key/);
  });

  it('ends with 5 where nothing answers', async () => {
    expect(await run(['doctor'])).toMatchObject({ code: 5, stdout: '' });
  });
});

describe('starter rules that notify a channel', () => {
  const channel = {
    id: 'chn_1',
    kind: 'slack',
    name: 'on call',
    is_default: false,
    enabled: true,
    config: { webhook_url: 'https://x.example/…' },
    version: 1,
    last_delivery: null,
    warnings: [],
  };
  const add = ['channels', 'add', 'slack', 'https://hooks.slack.com/services/T/B/X', '--for', 'starter'];

  /** A service with three starter rules, which refuses the `failing`-th change of a rule. */
  async function withRules(failing: number) {
    const rules = ['a', 'b', 'c'].map((name) => ({
      id: `rul_${name}`,
      name,
      external_id: `starter/${name}`,
      channels: ['default'],
    }));
    let changes = 0;
    service = await fakeService((request, response) => {
      if (request.method === 'PATCH') {
        changes += 1;
        if (changes === failing) return problem(422, 'validation_failed')(request, response);
        const rule = rules.find(({ id }) => request.path.endsWith(id));
        if (rule) rule.channels = JSON.parse(request.body.toString()).channels;
        return json(200, rule)(request, response);
      }
      if (request.path.includes('/alerts/rules')) return json(200, page('rules', rules))(request, response);
      return json(request.method === 'POST' ? 201 : 200, channel)(request, response);
    });
    return rules;
  }

  it('are named as far as they were changed when one fails, and a second run completes them', async () => {
    const rules = await withRules(2);
    const first = await run(add);
    expect(first).toMatchObject({
      code: 6,
      stdout: 'chn_1 on call (slack)\n  changed: rul_a a\n',
      stderr: expect.stringContaining('complete it: tidewatch channels use chn_1 --for starter\n'),
    });
    expect(await run(['channels', 'use', 'chn_1', '--for', 'starter'])).toEqual({
      code: 0,
      stdout: '3 starter rules notify it\n  changed: rul_b b\n  changed: rul_c c\n',
      stderr: '',
    });
    expect(rules.map(({ channels }) => channels)).toEqual(Array(3).fill(['default', 'chn_1']));
    expect((await run(['channels', 'use', 'chn_1', '--for', 'starter'])).stdout).toBe(
      '3 starter rules notify it\n',
    );
  });

  it('are named beside the JSON of the channel, which stays alone on standard output', async () => {
    await withRules(0);
    const { stdout, stderr } = await run([...add, '--json']);
    expect(JSON.parse(stdout).id).toBe('chn_1');
    expect(stderr).toContain('changed: rul_c c');
  });
});

it('a channel that nothing can be sent to is added with its warning', async () => {
  const message = 'TIDEWATCH_EMAIL_SMTP_URL is not set: nothing is sent to this channel until it is.';
  service = await fakeService(
    json(201, {
      id: 'chn_1',
      kind: 'email',
      name: 'email',
      is_default: true,
      config: { to: ['a@example.com'] },
      warnings: [{ code: 'mail_server_not_configured', message }],
    }),
  );
  expect(await run(['channels', 'add', 'email', 'a@example.com'])).toMatchObject({
    code: 0,
    stderr: `warning: ${message}\n`,
  });
});
