import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, SEEN, serviceOf, uniqueName } from './client.ts';
import { CHECKOUT, createCommandLine } from './command-line.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
let client: Client;
let tidewatch: ReturnType<typeof createCommandLine>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-cli-'));
  target = await openTarget();
  client = createClient(target);
  tidewatch = createCommandLine(target);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await target?.close();
});

/** A rule of one metric that fires at once above 90, made by `rules apply`. */
async function applyRule(metric: string): Promise<string> {
  const file = join(folder, `${metric}.yaml`);
  writeFileSync(
    file,
    `rules:\n- external_id: ${metric}\n  name: Rule of ${metric}\n  metric: ${metric}\n` +
      '  condition: greater_than\n  threshold: 90\n  duration_minutes: 0\n',
  );
  const { created } = await tidewatch.json('rules', 'apply', file);
  expect(created).toHaveLength(1);
  return file;
}

describe('send', () => {
  it('sends a sample from arguments, which the services then show, whatever the host is called', async () => {
    const name = uniqueName('cli');
    const host = `${name}\u001b[2J`;
    const sent = await tidewatch.json('send', host, 'cpu_percent=93.5', '--tag', 'region=eu-1');
    expect(sent).toEqual({ status: 'ok', events_accepted: 1 });
    const { id } = await serviceOf(client, name);
    const [listed, shown, table, description] = await Promise.all([
      ...[tidewatch.json('services', 'list', '--query', name), tidewatch.json('services', 'show', host)],
      ...[tidewatch.say('services', 'list', '--query', name), tidewatch.say('services', 'show', id)],
    ]);
    expect(listed).toEqual(await client.expect(200, 'GET', `/services?q=${name}`));
    expect(shown).toMatchObject({ id, host, metrics: { cpu_percent: 93.5 }, tags: { region: 'eu-1' } });
    expect(table).toMatch(new RegExp(`^NAME .*\n${name}\\\\u001b\\[2J +\\w+ .* 93\\.5 .*region=eu-1\n$`));
    expect(description).toContain('cpu_percent');
    expect(table + description).not.toContain('\u001b');
  });

  it('streams NDJSON from standard input in batches, and names the lines that are refused', async () => {
    const host = uniqueName('cli');
    const line = (value: unknown) => JSON.stringify({ host, metrics: { queue: value } });
    const lines = Array.from({ length: 1_200 }, (_, index) => line(index));
    lines[700] = line('many');
    const input = lines.join('\n');
    const strict = await tidewatch.run(['send', '--batch', '500', '--json'], { input });
    expect(JSON.parse(strict.stdout)).toEqual({ status: 'ok', events_accepted: 500, events_rejected: 500 });
    expect(strict).toMatchObject({ code: 6, stderr: expect.stringContaining('line 701: /metrics/queue') });
    const lenient = await tidewatch.run(['send', '--lenient', '--batch', '500'], { input });
    expect(lenient).toMatchObject({ code: 1, stdout: '1199 payloads accepted, 1 refused, in 3 requests\n' });
  });
});

describe('rules and alerts', () => {
  it('applies, tries and exports rules, and follows their alert until Ctrl-C', async () => {
    const metric = uniqueName('cli').replace('-', '_');
    const host = uniqueName('cli');
    const file = await applyRule(metric);
    expect(await tidewatch.say('rules', 'apply', file, '--dry-run')).toMatch(
      /^would be: 0 created, 0 updated, 1 un/,
    );
    const rules = (await tidewatch.run(['rules', 'list', '--all', '--json'])).stdout.trim().split('\n');
    const rule = rules.map((line) => JSON.parse(line)).find(({ external_id: id }) => id === metric);
    expect(rule).toEqual(await client.expect(200, 'GET', `/alerts/rules/${rule.id}`).then(withoutPending));
    expect(await tidewatch.say('rules', 'list', '--limit', '100')).toContain(`${metric} > 90`);
    expect(await tidewatch.say('rules', 'export')).toContain(`external_id: ${metric}`);

    const watch = tidewatch.start(['alerts', 'watch', '--host', host]);
    let seen = '';
    watch.stdout.on('data', (piece) => {
      seen += piece;
    });
    await tidewatch.say('send', host, `${metric}=95`);
    const listed = () => client.expect(200, 'GET', `/alerts?host=${host}`).then((page) => page.alerts.length);
    await expect.poll(listed, SEEN).toBe(1);
    // It may have fired before the stream was open, and stands among the active ones then.
    await expect.poll(() => seen, SEEN).toMatch(/(?:fired|firing) .*warning/);
    const { alerts } = await tidewatch.json('alerts', 'list', '--host', host);
    const [{ id }] = alerts;
    expect(await tidewatch.say('alerts', 'list', '--host', host)).toContain(id);
    const acknowledged = await tidewatch.json('alerts', 'acknowledge', id, '--comment', 'seen');
    expect(acknowledged).toMatchObject({ id, comments: [{ text: 'seen' }] });
    expect(await tidewatch.say('alerts', 'resolve', id)).toContain(`${id} resolved`);
    await expect.poll(() => seen, SEEN).toMatch(/ resolved /);
    watch.kill('SIGINT');
    expect((await once(watch, 'close'))[0]).toBe(130);
    expect((await tidewatch.run(['alerts', 'acknowledge', id])).code).toBe(7);

    const args = ['rules', 'preview', file, '--from', '1h', '--thresholds', '90,99', '--durations', '0'];
    const preview = await tidewatch.json(...args);
    expect(preview).toMatchObject({ alerts_total: 1, curve: [{ alerts: 1 }, { alerts: 0 }] });
    expect(await tidewatch.say('rules', 'preview', '--rule', metric)).toContain(host);
  });
});

/** A single rule has besides what a list has. */
function withoutPending({ pending: _, ...rule }: Record<string, unknown>) {
  return rule;
}

describe('silences', () => {
  it('creates, lists and ends', async () => {
    const host = uniqueName('cli');
    const made = await tidewatch.json(
      'silences',
      'create',
      '--host',
      host,
      '--for',
      '2h',
      '--comment',
      'upgrade',
    );
    expect(made).toMatchObject({ matchers: { hosts: [host] }, comment: 'upgrade', status: 'active' });
    expect(Date.parse(made.until) - Date.parse(made.from)).toBe(7_200_000);
    expect(await tidewatch.say('silences', 'list', '--all', '--status', 'active')).toContain(made.id);
    expect(await tidewatch.say('silences', 'end', made.id)).toBe(`${made.id} ended\n`);
    expect(await tidewatch.say('silences', 'list', '--all', '--status', 'active')).not.toContain(made.id);
  });
});

describe('investigations and markers', () => {
  it('asks for an investigation of a host, shows it, judges it and cancels it', async () => {
    const host = uniqueName('cli');
    await tidewatch.say('send', host, 'cpu_percent=93.5');
    const { id: service } = await serviceOf(client, host);
    const question = 'Why is it slow?';
    const asked = ['--metric', 'cpu_percent', '--from', '2h', '--question', question];
    const made = await tidewatch.json('investigations', 'start', '--service', host, ...asked);
    expect(made).toMatchObject({
      service_id: service,
      host,
      metric: 'cpu_percent',
      question,
      title: question,
    });
    expect(Date.parse(made.to) - Date.parse(made.from)).toBeGreaterThan(7_000_000);
    expect(await tidewatch.say('investigations', 'list', '--host', host)).toContain(`${question} `);
    const given = ['--helpful', 'no', '--cause', 'a backup'];
    expect(await tidewatch.say('investigations', 'feedback', made.id, ...given)).toBe(
      `${made.id} noted: ${question}\n`,
    );
    expect(await tidewatch.say('investigations', 'show', made.id)).toContain('not helpful; a backup');
    // It may have been completed meanwhile, and ends with a conflict then.
    expect([0, 7]).toContain((await tidewatch.run(['investigations', 'cancel', made.id])).code);
  });

  it('marks what was done, lists it and takes it away', async () => {
    const title = uniqueName('deployed');
    const on = ['--host', 'web-*', '--on', 'role=api', '--on', 'role=worker'];
    const made = await tidewatch.json('markers', 'add', title, '--at', '5m', ...on, '--tag', 'version=1.4.2');
    expect(made).toMatchObject({
      ...{ title, selector: { hosts: ['web-*'], tags: { role: ['api', 'worker'] } } },
      tags: { version: '1.4.2' },
    });
    expect(await tidewatch.say('markers', 'list', '--from', '6m', '--all')).toMatch(
      new RegExp(`${made.id} +\\S+ +${title} +web-\\* role=api\\|worker +version=1\\.4\\.2`),
    );
    expect(await tidewatch.say('markers', 'remove', made.id)).toBe(`${made.id} removed\n`);
  });
});

describe('keys and organizations', () => {
  it('makes, lists, rotates and revokes keys, whose secrets work as soon as they are shown', async () => {
    const name = uniqueName('cli');
    const made = await tidewatch.json('keys', 'create', name, '--scope', 'read', '--expires', '1d');
    expect(made).toMatchObject({ name, scopes: ['read'], secret: expect.stringMatching(/^tw_/) });
    const asNew = { env: { TIDEWATCH_API_KEY: made.secret } };
    expect((await tidewatch.run(['services', 'list'], asNew)).code).toBe(0);
    expect((await tidewatch.run(['keys', 'list'], asNew)).code).toBe(4);
    const file = join(folder, 'successor');
    expect(
      await tidewatch.say('keys', 'rotate', made.id, '--grace-hours', '1', '--secret-file', file),
    ).toContain(name);
    const successor = readFileSync(file, 'utf8').trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await client.ask('GET', '/services', undefined, { 'x-api-key': successor })).status).toBe(200);
    expect((await tidewatch.run(['keys', 'rotate', made.id, '--secret-file', file])).code).toBe(2);
    expect(await tidewatch.say('keys', 'revoke', made.id)).toBe(`${made.id} revoked\n`);
    expect((await tidewatch.run(['keys', 'revoke', made.id])).code).toBe(3);
    expect(await tidewatch.say('keys', 'list', '--all')).toMatch(
      new RegExp(`${made.id} +${name} +revoked +read `),
    );
  });

  it('makes organizations, which see nothing of each other', async () => {
    const name = uniqueName('cli');
    const { organization, key } = await tidewatch.json('org', 'create', name);
    expect(organization).toMatchObject({ name, id: expect.stringMatching(/^org_/) });
    expect(await tidewatch.say('org', 'list', '--all')).toContain(organization.id);
    const asOther = { env: { TIDEWATCH_API_KEY: key.secret } };
    const { stdout } = await tidewatch.run(['services', 'list', '--json'], asOther);
    expect(JSON.parse(stdout).services).toEqual([]);
    expect((await tidewatch.run(['org', 'list'], asOther)).code).toBe(4);
  });
});

describe('doctor', () => {
  it('looks at everything and says how it is', async () => {
    const { code, stdout } = await tidewatch.run(['doctor', '--json']);
    const { status, findings } = JSON.parse(stdout);
    expect(code, stdout).toBe(status === 'failed' ? 1 : 0);
    const checks = new Set(findings.map(({ check }: { check: string }) => check));
    for (const check of [
      'address',
      'parts',
      'clock',
      'disk',
      'key',
      'limits',
      'series',
      'hosts',
      'lag',
      'notifications',
    ])
      expect(checks, stdout).toContain(check);
    const ok = findings.filter((each: { status: string }) => each.status === 'ok');
    expect(ok.map(({ check }: { check: string }) => check)).toEqual(
      expect.arrayContaining(['address', 'parts', 'clock', 'key']),
    );
  });
});

describe('for scripts', () => {
  it('keeps quiet when its reader has seen enough', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => ({ host: `pipe-${index}`, metrics: { a: 1 } }));
    await client.ingest(lines);
    const script = `set -o pipefail; "${process.execPath}" packages/apps/cli/src/main.ts services list --all --json | head -n 1`;
    const env = { ...process.env, TIDEWATCH_URL: target.url, TIDEWATCH_API_KEY: target.key };
    const shell = spawn('bash', ['-c', script], { cwd: CHECKOUT, env });
    const [stderr, [code]] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('completes verbs and options in a shell', async () => {
    expect(await tidewatch.say('completion', 'bash')).toContain('tidewatch');
    expect(await tidewatch.say('complete', '--', 'alerts', '')).toMatch(/watch\t.*\n(?:.*\n)*acknowledge\t/);
    expect(await tidewatch.say('complete', '--', 'alerts', 'list', '--status', '')).toMatch(/resolved/);
  });
});
