import { type Finding, finding } from './finding.ts';

/** What /readyz answers. */
export interface Readiness {
  status?: string;
  reasons?: string[];
  topology?: string;
  edition?: string;
  versions?: Record<string, unknown>;
}

/** What to do about a reason that /readyz gives, by the words in it. */
const ADVICE: readonly [RegExp, string][] = [
  [
    /storage_full|disk/i,
    'free space on the disk of the data, or lower what retention keeps; ingest resumes by itself',
  ],
  [
    /database|keys cannot be looked up/i,
    'see that PostgreSQL runs and has connections left; its own log says more',
  ],
  [
    /redis|limits? (?:is|are) counted/i,
    'see that Redis runs; until then each process counts its limits by itself',
  ],
  [
    /kafka|broker|topic|stored at the moment/i,
    'see that the brokers run and that the log of the service names no refusal',
  ],
  [
    /TIDEWATCH_SECRET_KEY|secret/i,
    'start every process with the TIDEWATCH_SECRET_KEY that encrypted the channels',
  ],
  [/starting|stopping/, 'wait a moment and ask again'],
  [/does not answer/, 'see which process is missing (stack.json, docker compose ps) and read its log'],
];

export function judgeInstallation(url: string, readiness: Readiness): Finding {
  const versions = Object.entries(readiness.versions ?? {}).map(([name, version]) => `${name} ${version}`);
  const what = [
    `${readiness.topology ?? 'unknown'} topology`,
    `${readiness.edition ?? 'unknown'} store`,
    ...versions,
  ];
  return finding('address', 'ok', `${url}: ${what.join(', ')}`);
}

export function judgeParts({ status, reasons = [] }: Readiness): Finding[] {
  if (status === 'ready') return [finding('parts', 'ok', 'every part is ready')];
  const severity = status === 'degraded' ? 'warning' : 'failed';
  if (reasons.length === 0) return [finding('parts', severity, `the service is ${status}`, 'read its log')];
  return reasons.map((reason) => {
    const [, advice = 'read the log of the process that says so'] =
      ADVICE.find(([words]) => words.test(reason)) ?? [];
    return finding('parts', severity, reason, advice);
  });
}

const SKEW_WARNING_MS = 5_000;
const SKEW_FAILED_MS = 60_000;

/** `offsetMs`: how far the service's clock is ahead of this machine's; it is told in whole seconds. */
export function judgeClock(offsetMs: number | null): Finding {
  if (offsetMs === null) return finding('clock', 'unknown', 'the service does not tell its time');
  const off = Math.abs(offsetMs);
  const seconds = Math.round(off / 1_000);
  if (off < SKEW_WARNING_MS)
    return finding('clock', 'ok', 'the clocks of this machine and of the service agree');
  return finding(
    'clock',
    off < SKEW_FAILED_MS ? 'warning' : 'failed',
    `this machine is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the service`,
    'let both keep their time by NTP (timedatectl set-ntp true); samples of wrong times are judged late or not at all',
  );
}

export interface DiskSpace {
  directory: string;
  freeBytes: number;
  totalBytes: number;
}

/** Ingest closes below 5 % or 1 GiB; here a little room before that is asked for. */
export function judgeDisk(disk: DiskSpace | null): Finding {
  if (disk === null)
    return finding('disk', 'unknown', 'the data is not on this machine, or its folder is not known');
  const percent = (100 * disk.freeBytes) / disk.totalBytes;
  const gib = disk.freeBytes / 2 ** 30;
  const summary = `${gib.toFixed(1)} GiB free (${percent.toFixed(0)} %) at ${disk.directory}`;
  const advice =
    'free space, or lower what retention keeps; below 5 % or 1 GiB ingest answers 503 storage_full';
  if (percent < 5 || gib < 1) return finding('disk', 'failed', summary, advice);
  if (percent < 10 || gib < 2) return finding('disk', 'warning', summary, advice);
  return finding('disk', 'ok', summary);
}

/** From the fields `RateLimit: "api"; r=59999; t=60` and `RateLimit-Policy: "api"; q=60000; w=60`. */
export function judgeLimits(limit: string | null, policy: string | null): Finding {
  const left = number(limit, 'r');
  const quota = number(policy, 'q');
  if (left === null || quota === null)
    return finding('limits', 'unknown', 'the service tells no limit for this key');
  const summary = `${left} of ${quota} requests left, full again in ${number(limit, 't') ?? '?'} s`;
  if (left > quota / 10) return finding('limits', 'ok', summary);
  const advice = 'send more payloads in one request, or raise rate_limit_per_minute of the key';
  return finding('limits', 'warning', summary, advice);
}

function number(field: string | null, name: string): number | null {
  const [, digits] = new RegExp(`;\\s*${name}=(\\d+)`).exec(field ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}
