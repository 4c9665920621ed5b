import { fakeService, json, problem } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

describe('tidewatch send', () => {
  const ignored = {
    code: 'unknown_field',
    message: 'Is not a known field and is ignored. Did you mean tags?',
  };

  it('prints each warning once, with the first line that has it', async () => {
    const warnings = [{ ...ignored, path: '/1/tag', payloads: 2 }];
    const answer = { status: 'ok', events_accepted: 2, warnings };
    const service = await fakeService(json(200, answer), json(200, answer));
    expect(await run(service, ['send', '--batch', '2'], {}, '{}\n\n{}\n{}\n{}\n')).toEqual({
      code: 0,
      stdout: '4 payloads accepted, 0 refused, in 2 requests\n',
      stderr: `warning: line 3: /tag ${ignored.message} (2 payloads of its request)\n`,
    });
    expect(service.asked[0]?.headers).toMatchObject({ prefer: 'warnings' });
  });

  it('prints the warnings about a sample given as arguments', async () => {
    const warnings = [{ ...ignored, path: '/tag', payloads: 1 }];
    const service = await fakeService(json(200, { status: 'ok', events_accepted: 1, warnings }));
    expect(await run(service, ['send', 'web-1', 'load=1'])).toEqual({
      code: 0,
      stdout: 'sent 1 value of web-1\n',
      stderr: `warning: /tag ${ignored.message}\n`,
    });
  });

  it('exits with 6 when a batch is refused, and prints how many payloads were accepted before', async () => {
    const fault = { in: 'body', path: '/0/host', code: 'missing', message: 'Must be given.' };
    const service = await fakeService(
      json(200, { status: 'ok', events_accepted: 1 }),
      problem(422, 'validation_failed', {}, [fault, { ...fault, path: '/0', message: 'Is not valid JSON.' }]),
    );
    expect(await run(service, ['send', '--batch', '1'], {}, '{}\n{}\n{}\n')).toEqual({
      code: 6,
      stdout: '1 payload accepted, 1 refused, in 2 requests\n',
      stderr: 'line 2: /host Must be given.\nline 2: Is not valid JSON.\n',
    });
    expect(service.asked).toHaveLength(2);
  });

  it('prints how many payloads were accepted before the key was revoked', async () => {
    const service = await fakeService(
      json(200, { status: 'ok', events_accepted: 1 }),
      problem(401, 'key_revoked'),
    );
    expect(await run(service, ['send', '--batch', '1'], {}, '{}\n{}\n')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        '1 payloads were accepted before this error:\ntidewatch: 401 key_revoked',
      ),
    });
  });
});
