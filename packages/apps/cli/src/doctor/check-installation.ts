import { STORAGE_BACKENDS } from '@tidewatch/contracts/system/storage-backends';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Finding, finding } from './finding.ts';

/** The answer of /readyz. */
export interface Readiness {
  status?: string;
  reasons?: string[];
  topology?: string;
  edition?: string;
  versions?: Record<string, unknown>;
}

/** Advice by patterns of reasons of /readyz; the first pattern that matches a reason is used. */
const ADVICE: readonly [RegExp, string][] = [
  [
    /storage_full|disk/i,
    'free disk space in the data directory, or reduce the retention; ingest then resumes automatically',
  ],
  [
    /database|keys cannot be looked up/i,
    'check that PostgreSQL runs and accepts connections; its log has the cause',
  ],
  [
    /redis|limits? (?:is|are) counted/i,
    'check that Redis runs; until then each process enforces the limits on its own',
  ],
  [
    /kafka|broker|topic|stored at the moment/i,
    'check that the Kafka brokers run, and read the errors of Kafka in the log of the service',
  ],
  [
    /TIDEWATCH_SECRET_KEY|secret/i,
    'start every process with the TIDEWATCH_SECRET_KEY that encrypted the channels',
  ],
  [/starting|stopping/, 'wait a moment and run the doctor again'],
  [/does not answer/, 'find the process that is down (stack.json, docker compose ps) and read its log'],
];

const backendName = (stored: string | undefined): string =>
  stored === undefined ? 'unknown' : ((STORAGE_BACKENDS as Record<string, string>)[stored] ?? stored);

export function checkInstallation(url: string, readiness: Readiness): Finding {
  const versions = Object.entries(readiness.versions ?? {}).map(([name, version]) => `${name} ${version}`);
  const what = [
    `${readiness.topology ?? 'unknown'} topology`,
    `storage backend ${backendName(readiness.edition)}`,
    ...versions,
  ];
  return finding('address', 'ok', `${url}: ${what.join(', ')}`);
}

export function checkParts({ status, reasons = [] }: Readiness): Finding[] {
  if (status === 'ready') return [finding('parts', 'ok', 'all parts are ready')];
  const severity = status === 'degraded' ? 'warning' : 'failed';
  if (reasons.length === 0)
    return [finding('parts', severity, `the service is ${status}`, 'read the log of the service')];
  return reasons.map((reason) => {
    const [, advice = 'read the log of the process that reports this'] =
      ADVICE.find(([words]) => words.test(reason)) ?? [];
    return finding('parts', severity, reason, advice);
  });
}

const SKEW_WARNING_MS = 5_000;
const SKEW_FAILED_MS = MINUTE_MS;

/**
 * Compares the clock of this machine with that of Tidewatch. `offsetMs` says how far Tidewatch's clock is ahead; it comes
 * from the Date header and is accurate to a second.
 */
export function checkClock(offsetMs: number | null): Finding {
  if (offsetMs === null) return finding('clock', 'unknown', 'the answer of Tidewatch has no Date header');
  const off = Math.abs(offsetMs);
  const seconds = Math.round(off / 1_000);
  if (off < SKEW_WARNING_MS)
    return finding('clock', 'ok', 'the clocks of this machine and of Tidewatch agree');
  return finding(
    'clock',
    off < SKEW_FAILED_MS ? 'warning' : 'failed',
    `this machine is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} Tidewatch`,
    'synchronize both clocks by NTP (timedatectl set-ntp true); samples with wrong times are evaluated late or not at all',
  );
}

export interface DiskSpace {
  directory: string;
  freeBytes: number;
  totalBytes: number;
}

/** Checks the free space of the disk, and warns at twice the 5 % or 1 GiB at which ingest is closed. */
export function checkDisk(disk: DiskSpace | null): Finding {
  if (disk === null)
    return finding(
      'disk',
      'unknown',
      'the data directory is not on this machine, or TIDEWATCH_DATA_DIR is not set',
    );
  const percent = (100 * disk.freeBytes) / disk.totalBytes;
  const gib = disk.freeBytes / 2 ** 30;
  const summary = `${gib.toFixed(1)} GiB free (${percent.toFixed(0)} %) at ${disk.directory}`;
  const advice =
    'free disk space, or reduce the retention; below 5 % or 1 GiB ingest answers 503 storage_full';
  if (percent < 5 || gib < 1) return finding('disk', 'failed', summary, advice);
  if (percent < 10 || gib < 2) return finding('disk', 'warning', summary, advice);
  return finding('disk', 'ok', summary);
}

/**
 * Checks the limit of requests by the headers `RateLimit: "api"; r=59999; t=60` and `RateLimit-Policy: "api"; q=60000;
 * w=60`.
 */
export function checkLimits(limit: string | null, policy: string | null): Finding {
  const left = number(limit, 'r');
  const quota = number(policy, 'q');
  if (left === null || quota === null)
    return finding('limits', 'unknown', 'the service reports no rate limit for this key');
  const summary = `${left} of ${quota} requests left, reset in ${number(limit, 't') ?? '?'} s`;
  if (left > quota / 10) return finding('limits', 'ok', summary);
  const advice = 'send more payloads per request, or raise rate_limit_per_minute of the key';
  return finding('limits', 'warning', summary, advice);
}

function number(field: string | null, name: string): number | null {
  const [, digits] = new RegExp(`;\\s*${name}=(\\d+)`).exec(field ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}
