import { fakeService, json } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

const OWN = { scopes: ['ingest', 'admin', 'operator'], key: { id: 'key_1', name: 'Anna' } };
const LINK = { url: 'https://tidewatch.example/sign-in#link=secret', expires_at: '2026-11-27T00:15:00.000Z' };

async function runConsole(args: string[], opens: (url: string) => boolean = () => false) {
  const service = await fakeService(json(200, OWN), json(201, LINK));
  const opened: string[] = [];
  const answer = await run(service, ['console', ...args], {}, '', async (url) => {
    opened.push(url);
    return opens(url);
  });
  return { ...answer, opened, body: JSON.parse(String(service.asked[1]?.body)) };
}

describe('tidewatch console', () => {
  it('opens a link with the scopes of the key but ingest, and does not print it', async () => {
    const { code, stdout, stderr, opened, body } = await runConsole([], () => true);
    expect({ code, opened }).toEqual({ code: 0, opened: [LINK.url] });
    expect(body).toEqual({ kind: 'person', name: 'Anna', scopes: ['admin', 'operator'] });
    expect(stdout).toBe('Opened the console in your browser, signed in as Anna (admin, operator).\n');
    expect(stdout + stderr).not.toContain('secret');
  });

  it('prints the link on a line of its own where there is no browser', async () => {
    const { stdout, stderr } = await runConsole(['--scope', 'read', '--name', 'phone']);
    expect(stdout).toBe(`${LINK.url}\n`);
    expect(stderr).toContain(`until ${LINK.expires_at}, as phone (read)`);
  });

  it('makes a link for a display', async () => {
    const { body, opened } = await runConsole([
      '--display',
      '--name',
      'wall',
      '--expires',
      '2h',
      '--no-open',
    ]);
    expect(body).toMatchObject({ kind: 'display', name: 'wall', scopes: ['read'] });
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now());
    expect(opened).toEqual([]);
  });

  it('prints the object of the API and opens nothing with --json', async () => {
    const { stdout, opened } = await runConsole(['--json']);
    expect(JSON.parse(stdout)).toEqual(LINK);
    expect(opened).toEqual([]);
  });
});
