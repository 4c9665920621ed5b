import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeService, json, problem } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

describe('tidewatch keys create', () => {
  const made = { id: 'key_1', name: 'agents\u001b', scopes: ['ingest'], secret: 'tw_made' };
  const create = ['keys', 'create', 'agents', '--scope', 'ingest'];

  it('prints the secret on a line of its own', async () => {
    const service = await fakeService(json(201, made));
    const { code, stdout } = await run(service, create);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'key_1 agents\\u001b (ingest)\ntw_made\n' });
    expect(JSON.parse(String(service.asked[0]?.body))).toEqual({ name: 'agents', scopes: ['ingest'] });
  });

  it('writes the secret to a new private file with --secret-file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidewatch-secret-'));
    const file = join(folder, 'key');
    const service = await fakeService(problem(403, 'scope_missing'), json(201, made));
    expect((await run(service, [...create, '--secret-file', file])).code).toBe(4);
    expect(existsSync(file)).toBe(false);
    const { code, stdout } = await run(service, [...create, '--secret-file', file, '--json']);
    expect({ code, secret: JSON.parse(stdout).secret }).toEqual({ code: 0, secret: '…' });
    expect(readFileSync(file, 'utf8')).toBe('tw_made\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(service, [...create, '--secret-file', file])).code).toBe(2);
    expect(service.asked).toHaveLength(2);
    rmSync(folder, { recursive: true });
  });
});
