import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startKeyProxy } from '@tidewatch/harness/mcp/key-proxy';
import { folderForTest, openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const api = await openForFile(openApi());
/** The suite sends no key. */
const proxy = await openForFile(startKeyProxy(api.url, 'admin'));

const PACKAGE = '@modelcontextprotocol/conformance';
const program = join(
  createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`),
  '..',
  'dist',
  'index.js',
);

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED' | 'WARNING' | 'INFO';
}

/** Runs every scenario of a revision against the server; returns the ids of the checks that fail, by scenario. */
async function failuresOf(revision: string): Promise<{ failed: Map<string, string[]>; wires: string[] }> {
  const folder = folderForTest();
  const given = ['server', '--url', `${proxy.url}/mcp`, '--requirements', revision, '--output-dir', folder];
  // Its exit code says that some scenario failed, which those of features that are not served do.
  await new Promise((resolve) =>
    execFile(process.execPath, [program, ...given], { timeout: 60_000 }, resolve),
  );
  const failed = new Map<string, string[]>();
  const wires: string[] = [];
  for (const name of readdirSync(folder)) {
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    failed.set(
      scenario,
      checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id),
    );
    wires.push(...checks.filter(({ id }) => id === 'wire-schema-valid').map(({ status }) => status));
  }
  return { failed, wires };
}

describe("the protocol's conformance suite", () => {
  it('passes for what is served by the revision 2026-07-28', async () => {
    const { failed, wires } = await failuresOf('2026-07-28');
    for (const scenario of [
      'tools-list',
      'dns-rebinding-protection',
      'http-header-validation',
      'server-sse-multiple-streams',
    ])
      expect([scenario, failed.get(scenario)]).toEqual([scenario, []]);
    // Tools of the suite that no product has, and subscriptions, which are refused since nothing changes.
    expect(failed.get('server-stateless')).toEqual([
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-sends-subscription-ack',
      'sep-2575-server-tags-subscription-id',
    ]);
    // There are no prompts and resources to list.
    expect(failed.get('caching')).toEqual([
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ]);
    expect(wires.length).toBeGreaterThan(40);
    expect(new Set(wires)).toEqual(new Set(['SUCCESS']));
  });

  it('passes for what is served by the revision 2025-11-25', async () => {
    const { failed, wires } = await failuresOf('2025-11-25');
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
      expect([scenario, failed.get(scenario)]).toEqual([scenario, []]);
    expect(wires.length).toBeGreaterThan(25);
    expect(new Set(wires)).toEqual(new Set(['SUCCESS']));
  });
});
