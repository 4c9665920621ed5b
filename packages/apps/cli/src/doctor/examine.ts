import { readFile, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { entries } from '@tidewatch/api-client/pages';
import { type MetricReading, readMetrics } from '@tidewatch/api-client/prometheus-text';
import {
  type Address,
  dataDirectories,
  isThisMachine,
} from '@tidewatch/runtime/command-line/service-address';
import type { Environment } from '@tidewatch/runtime/settings/config';
import { checkAlertInstances } from './check-alert-instances.ts';
import {
  checkClock,
  checkDisk,
  checkInstallation,
  checkLimits,
  checkParts,
  type DiskSpace,
  type Readiness,
} from './check-installation.ts';
import { checkSeries } from './check-series.ts';
import { checkSystem } from './check-system.ts';
import { checkChannels, checkHosts, checkLag, type Host } from './check-work.ts';
import { type Finding, finding } from './finding.ts';

export interface Installation {
  address: Address;
  env: Environment;
  /** The API client; undefined if no key is set. */
  client: TidewatchClient | undefined;
  clock(): number;
}

/** The max number of hosts that are checked. */
const MAX_HOSTS = 2_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** Checks an installation from outside. Throws UnreachableError if nothing answers at its address. */
export async function examine(installation: Installation): Promise<Finding[]> {
  const { url } = installation.address;
  const open = createTidewatchClient({ url, timeoutMs: REQUEST_TIMEOUT_MS, retries: 1 });
  const requestedAt = installation.clock();
  const { data, error, response } = await open.raw.GET('/readyz');
  const offset = offsetOf(response.headers.get('date'), requestedAt, installation.clock());
  const readiness = (data ?? error ?? {}) as Readiness;
  const local = isThisMachine(url);
  const findings = [
    checkInstallation(url, readiness),
    ...checkParts(readiness),
    checkClock(offset),
    checkDisk(local ? await diskOf(installation.env) : null),
  ];
  return [...findings, ...(await examineInside(installation, offset ?? 0))];
}

/** Runs the checks that need a key. */
async function examineInside(
  { client, address, env, clock }: Installation,
  offset: number,
): Promise<Finding[]> {
  if (client === undefined)
    return [
      finding(
        'key',
        'failed',
        'no API key is set',
        'set TIDEWATCH_API_KEY; tidewatch --help lists the other sources of a key',
      ),
    ];
  const { response, error } = await client.raw.GET('/api/v1/services', { params: { query: { limit: 1 } } });
  const limits = checkLimits(response.headers.get('ratelimit'), response.headers.get('ratelimit-policy'));
  if (error !== undefined) return [refused(response.status, error.code, error.detail), limits];
  const { hosts, complete } = await readHosts(client);
  const channels = [];
  for await (const channel of entries(client, '/api/v1/channels', 'channels', {})) channels.push(channel);
  const rules = [];
  for await (const rule of entries(client, '/api/v1/alerts/rules', 'rules', {})) rules.push(rule);
  const readings = await metricsOf(address.url, env);
  return [
    finding('key', 'ok', 'the key is valid and has the scope read'),
    limits,
    ...checkSeries(readings),
    ...checkAlertInstances(readings),
    ...checkHosts(hosts, complete, clock() + offset),
    ...checkLag(hosts, readings),
    ...(await examineSystem(client)),
    ...checkChannels(channels, rules),
  ];
}

/** Runs the checks that need a key with the scope operator. */
async function examineSystem(client: TidewatchClient): Promise<Finding[]> {
  const { data, error, response } = await client.raw.GET('/api/v1/system');
  if (data !== undefined) return checkSystem(data);
  const needsOperator = response.status === 403;
  return [
    finding(
      'processes',
      'unknown',
      needsOperator
        ? 'processes, dead letters, jobs and storage are not checked: the key lacks the scope operator'
        : `the state of the installation could not be read: ${response.status} ${error.code}`,
    ),
  ];
}

function refused(status: number, code: string, detail: string): Finding {
  const advice =
    status === 403
      ? 'use a key with the scope read'
      : status === 401
        ? 'use a valid key: tidewatch keys list shows the valid ones'
        : 'retry in a moment; the log of the service has the cause';
  return finding('key', 'failed', `the service refuses the request: ${status} ${code}: ${detail}`, advice);
}

async function readHosts(client: TidewatchClient): Promise<{ hosts: Host[]; complete: boolean }> {
  const hosts: Host[] = [];
  for await (const host of entries(client, '/api/v1/services', 'services', {})) {
    if (hosts.length === MAX_HOSTS) return { hosts, complete: false };
    hosts.push(host);
  }
  return { hosts, complete: true };
}

/** How far the clock of the service is ahead, ms. Half a second is added, because the Date header has whole seconds. */
function offsetOf(date: string | null, requestedAt: number, answeredAt: number): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : theirs + 500 - (requestedAt + answeredAt) / 2;
}

async function diskOf(env: Environment): Promise<DiskSpace | null> {
  for (const directory of dataDirectories(env)) {
    const stats = await statfs(directory).catch(() => null);
    if (stats === null) continue;
    return {
      directory: resolve(directory),
      freeBytes: stats.bavail * stats.bsize,
      totalBytes: stats.blocks * stats.bsize,
    };
  }
  return null;
}

/** Reads the metrics of each process of a stack on this machine, otherwise of the service at `url`; null if none answers. */
async function metricsOf(url: string, env: Environment): Promise<MetricReading[] | null> {
  const pages = await Promise.all((await processesOf(url, env)).map(readPage));
  const readings = pages.flatMap((page) => (page === null ? [] : readMetrics(page)));
  return readings.length === 0 ? null : readings;
}

async function processesOf(url: string, env: Environment): Promise<string[]> {
  for (const directory of dataDirectories(env)) {
    const text = await readFile(join(directory, 'stack.json'), 'utf8').catch(() => '{}');
    const stack = JSON.parse(text) as { base_url?: string; processes?: { admin_url?: string }[] };
    if (stack.base_url === url) return (stack.processes ?? []).flatMap(({ admin_url: admin }) => admin ?? []);
  }
  return [url];
}

async function readPage(url: string): Promise<string | null> {
  try {
    const client = createTidewatchClient({ url, timeoutMs: REQUEST_TIMEOUT_MS, retries: 0 });
    return await client.get('/metrics', { parseAs: 'text' });
  } catch {
    return null;
  }
}
