import { fakeService, json, problem } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { page, run } from '../testing/run.harness.ts';

describe('tidewatch channels', () => {
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

  /** A service with three starter rules that refuses change number `failing`. */
  async function withRules(failing: number) {
    const rules = ['a', 'b', 'c'].map((name) => ({
      id: `rul_${name}`,
      name,
      external_id: `starter/${name}`,
      channels: ['default'],
    }));
    let changes = 0;
    const service = await fakeService((request, response) => {
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
    return { service, rules };
  }

  it('names the starter rules that were changed before one failed, and a second run changes the rest', async () => {
    const { service, rules } = await withRules(2);
    const first = await run(service, add);
    expect(first).toMatchObject({
      code: 6,
      stdout: 'chn_1 on call (slack)\n  changed: rul_a a\n',
      stderr: expect.stringContaining('complete it with: tidewatch channels use chn_1 --for starter\n'),
    });
    expect(await run(service, ['channels', 'use', 'chn_1', '--for', 'starter'])).toEqual({
      code: 0,
      stdout: '3 starter rules notify it\n  changed: rul_b b\n  changed: rul_c c\n',
      stderr: '',
    });
    expect(rules.map(({ channels }) => channels)).toEqual(Array(3).fill(['default', 'chn_1']));
    expect((await run(service, ['channels', 'use', 'chn_1', '--for', 'starter'])).stdout).toBe(
      '3 starter rules notify it\n',
    );
  });

  it('prints with --json the channel alone on standard output and the changed rules on standard error', async () => {
    const { service } = await withRules(0);
    const { stdout, stderr } = await run(service, [...add, '--json']);
    expect(JSON.parse(stdout).id).toBe('chn_1');
    expect(stderr).toContain('changed: rul_c c');
  });
});

it('tidewatch channels add prints the warning of a channel that cannot deliver yet', async () => {
  const message = 'TIDEWATCH_EMAIL_SMTP_URL is not set: nothing is sent to this channel until it is.';
  const service = await fakeService(
    json(201, {
      id: 'chn_1',
      kind: 'email',
      name: 'email',
      is_default: true,
      config: { to: ['a@example.com'] },
      warnings: [{ code: 'mail_server_not_configured', message }],
    }),
  );
  expect(await run(service, ['channels', 'add', 'email', 'a@example.com'])).toMatchObject({
    code: 0,
    stderr: `warning: ${message}\n`,
  });
});
