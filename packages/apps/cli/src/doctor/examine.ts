import { readFile, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { entries } from '@tidewatch/api-client/pages';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { type MetricReading, readMetrics } from '@tidewatch/api-client/prometheus-text';
import { type Address, dataDirectories, type Environment, isThisMachine } from '../settings.ts';
import { type Finding, finding } from './finding.ts';
import { judgeAlertInstances } from './judge-alert-instances.ts';
import {
  type DiskSpace,
  judgeClock,
  judgeDisk,
  judgeInstallation,
  judgeLimits,
  judgeParts,
  type Readiness,
} from './judge-installation.ts';
import { judgeSeries } from './judge-series.ts';
import { type Host, judgeChannels, judgeHosts, judgeLag } from './judge-work.ts';

export interface Patient {
  address: Address;
  env: Environment;
  /** Undefined where no key is known. */
  client: TidewatchClient | undefined;
  clock(): number;
}

/** More hosts than these are not looked at one by one. */
const MAX_HOSTS = 2_000;
const PATIENCE_MS = 5_000;

/** Looks at an installation from outside. Throws UnreachableError where nothing answers at its address. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const { url } = patient.address;
  const open = createTidewatchClient({ url, timeoutMs: PATIENCE_MS, retries: 1 });
  const asked = patient.clock();
  const { data, error, response } = await open.raw.GET('/readyz');
  const offset = offsetOf(response.headers.get('date'), asked, patient.clock());
  const readiness = (data ?? error ?? {}) as Readiness;
  const local = isThisMachine(url);
  const findings = [
    judgeInstallation(url, readiness),
    ...judgeParts(readiness),
    judgeClock(offset),
    judgeDisk(local ? await diskOf(patient.env) : null),
  ];
  return [...findings, ...(await examineInside(patient, offset ?? 0))];
}

/** What only a key opens. */
async function examineInside({ client, address, env, clock }: Patient, offset: number): Promise<Finding[]> {
  if (client === undefined)
    return [
      finding(
        'key',
        'failed',
        'no key is known',
        'set TIDEWATCH_API_KEY; tidewatch --help says where else it is looked for',
      ),
    ];
  const { response, error } = await client.raw.GET('/api/v1/services', { params: { query: { limit: 1 } } });
  const limits = judgeLimits(response.headers.get('ratelimit'), response.headers.get('ratelimit-policy'));
  if (error !== undefined) return [refused(response.status, error.code, error.detail), limits];
  const { hosts, complete } = await readHosts(client);
  const channels = [];
  for await (const channel of entries(client, '/api/v1/channels', 'channels', {})) channels.push(channel);
  const rules = [];
  for await (const rule of entries(client, '/api/v1/alerts/rules', 'rules', {})) rules.push(rule);
  const readings = await metricsOf(address.url, env);
  return [
    finding('key', 'ok', 'the key is valid and may read'),
    limits,
    ...judgeSeries(readings),
    ...judgeAlertInstances(readings),
    ...judgeHosts(hosts, complete, clock() + offset),
    ...judgeLag(hosts, readings),
    ...judgeChannels(channels, rules),
  ];
}

function refused(status: number, code: string, detail: string): Finding {
  const advice =
    status === 403
      ? 'use a key with the scope read'
      : status === 401
        ? 'use another key: tidewatch keys list shows those that are valid'
        : 'ask again in a moment; the log of the service has more';
  return finding('key', 'failed', `the service refuses to answer: ${status} ${code}: ${detail}`, advice);
}

async function readHosts(client: TidewatchClient): Promise<{ hosts: Host[]; complete: boolean }> {
  const hosts: Host[] = [];
  for await (const host of entries(client, '/api/v1/services', 'services', {})) {
    if (hosts.length === MAX_HOSTS) return { hosts, complete: false };
    hosts.push(host);
  }
  return { hosts, complete: true };
}

/** How far the service's clock is ahead, ms. Its time has whole seconds, so half of one is taken as the middle. */
function offsetOf(date: string | null, asked: number, answered: number): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : theirs + 500 - (asked + answered) / 2;
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

/** The metrics of every process of a stack on this machine, else those behind the address; null where none answer. */
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
    const client = createTidewatchClient({ url, timeoutMs: PATIENCE_MS, retries: 0 });
    return await client.get('/metrics', { parseAs: 'text' });
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof Error) return null;
    throw error;
  }
}
