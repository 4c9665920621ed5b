import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { comparedSince, peersFromOf } from '@tidewatch/domain/investigation/departure/trouble-begin';
import type {
  ChangeFacts,
  Facts,
  MetricFacts,
  PastAlertFacts,
  Series,
  SnapshotFacts,
  Source,
  Subject,
  UseFacts,
} from '@tidewatch/domain/investigation/facts';
import { fittedToHistory } from '@tidewatch/domain/investigation/short-history';
import { peersFrom as startOfPeers } from '@tidewatch/domain/investigation/window';
import type { Setting } from '../incident.ts';
import { askedOf } from './asked.ts';
import type { Host, User } from './host.ts';
import { peerFacts } from './peers.ts';
import type { Firing, Rule } from './rule.ts';
import type { Signal } from './signal.ts';

/** The number of samples from which the mean of an old minute is computed. */
const SAMPLES_OF_A_MINUTE = 2;
/** How many processes a snapshot lists by processor use, and how many by memory. */
const LISTED = 10;

export interface Situation {
  readonly setting: Setting;
  readonly host: Host;
  readonly peers: readonly Host[];
  readonly rule: Rule;
  readonly firing: Firing;
  readonly historyHours: number;
  /** Whether the host sends nothing at that time. */
  readonly silent?: (time: number) => boolean;
  /** Whether a metric is not reported at that time although the host sends others. */
  readonly missing?: (metric: string, time: number) => boolean;
  readonly noData?: boolean;
  readonly past?: readonly PastAlertFacts[];
  readonly changes?: readonly ChangeFacts[];
}

/** Returns what an investigation knows of a situation when it starts, without anything that happens later. */
export function gather(situation: Situation): Facts {
  const { setting, host, rule, firing, historyHours } = situation;
  const { from, to, historyFrom, knownFrom, byAlert } = askedOf(setting, firing, historyHours);
  const { silent = () => false } = situation;
  const times = new Times(
    setting.intervalMs,
    from,
    to,
    historyFrom,
    (time) => time < knownFrom || silent(time),
  );
  const metrics: MetricFacts[] = [];
  const add = (subject: Subject, metric: string, at: (time: number) => number) =>
    metrics.push(metricFacts(host, subject, metric, times, at, situation.missing));
  const self: Subject = { kind: 'host', name: host.name };
  for (const [metric, signal] of host.signals) add(self, metric, (time) => signal.at(time));
  add(self, 'uptime_seconds', (time) => (time - host.bootedAt(time)) / 1_000);
  for (const container of host.containers) {
    const subject: Subject = { kind: 'container', name: container.name };
    add(subject, 'cpu_percent', (time) => (container.alive(time) ? container.cpu.at(time) : 0));
    add(subject, 'memory_usage', (time) => (container.alive(time) ? container.memory.at(time) : 0));
  }
  const peersFrom =
    Math.floor(startOfPeers({ from, to, intervalMs: setting.intervalMs }) / MINUTE_MS) * MINUTE_MS;
  const alone: Facts = {
    service: { serviceId: host.serviceId, host: host.name, tags: host.tags },
    metric: rule.metric,
    subject: self,
    alert: byAlert
      ? {
          id: 'alr_now',
          ruleId: 'rul_1',
          ruleName: `${rule.metric} is high`,
          subject: self,
          severity: 'critical',
          condition: 'greater_than',
          threshold: rule.threshold,
          noData: situation.noData ?? false,
          pendingSince: firing.pendingSince,
          firedAt: firing.firedAt,
          value: situation.noData ? null : (host.signals.get(rule.metric)?.at(firing.firedAt) ?? null),
        }
      : null,
    question: null,
    from,
    to,
    historyFrom,
    peersFrom,
    intervalMs: setting.intervalMs,
    metrics,
    snapshots: snapshotsOf(host, times),
    snapshotSource: source(`snapshots/${host.name}`, from - HOUR_MS, to),
    payloadTimes: times.payloads(),
    peers: [],
    peersLeftOut: 0,
    past: situation.past ?? [],
    pastSource: source('past', to - 30 * DAY_MS, to),
    changes: situation.changes ?? [],
  };
  const own = fittedToHistory(alone);
  const found = { ...own, peersFrom: peersFromOf(own) };
  const compared = {
    from: found.from,
    to,
    historyFrom: knownFrom,
    peersFrom: found.peersFrom,
    intervalMs: setting.intervalMs,
    since: comparedSince(found),
  };
  return { ...found, peers: situation.peers.map((peer) => peerFacts(peer, rule.metric, compared)) };
}

/** The sample times of a host in a period, without those at which the host sent nothing. */
class Times {
  readonly from: number;
  readonly to: number;
  private readonly interval: number;
  private readonly historyFrom: number;
  private readonly silent: (time: number) => boolean;

  constructor(
    interval: number,
    from: number,
    to: number,
    historyFrom: number,
    silent: (time: number) => boolean,
  ) {
    this.interval = interval;
    this.from = from;
    this.to = to;
    this.historyFrom = historyFrom;
    this.silent = silent;
  }

  /** The sample times in `[from, to)`, without those at which the host is silent. */
  samples(from: number, to: number): number[] {
    const found: number[] = [];
    for (let time = Math.ceil(from / this.interval) * this.interval; time < to; time += this.interval)
      if (!this.silent(time)) found.push(time);
    return found;
  }

  recent(at: (time: number) => number, known: (time: number) => boolean): Series {
    const times = this.samples(this.from, this.to).filter(known);
    return { times: Float64Array.from(times), values: Float64Array.from(times, at) };
  }

  /** Samples of the time before the window, at most one in ten seconds. */
  before(at: (time: number) => number, known: (time: number) => boolean): Series {
    const every = Math.max(1, Math.ceil(10_000 / this.interval));
    const times = this.samples(Math.max(this.historyFrom, this.from - 2 * HOUR_MS), this.from).filter(
      (time, nth) => nth % every === 0 && known(time),
    );
    return { times: Float64Array.from(times), values: Float64Array.from(times, at) };
  }

  /** The means of minutes: of all samples within the window, and of some samples before. */
  history(at: (time: number) => number, known: (time: number) => boolean): Series {
    const times: number[] = [];
    const values: number[] = [];
    for (
      let minute = Math.floor(this.historyFrom / MINUTE_MS) * MINUTE_MS;
      minute < this.to;
      minute += MINUTE_MS
    ) {
      const end = Math.min(minute + MINUTE_MS, this.to);
      const stride =
        minute >= this.from ? this.interval : Math.max(this.interval, MINUTE_MS / SAMPLES_OF_A_MINUTE);
      let sum = 0;
      let count = 0;
      for (let time = Math.ceil(minute / this.interval) * this.interval; time < end; time += stride) {
        if (this.silent(time) || !known(time)) continue;
        sum += at(time);
        count += 1;
      }
      if (count === 0) continue;
      times.push(minute);
      values.push(sum / count);
    }
    return { times: Float64Array.from(times), values: Float64Array.from(values) };
  }

  /** The time from which payloads and snapshots are read, ms. */
  private firstKnown(): number {
    return Math.max(this.historyFrom, this.from - HOUR_MS);
  }

  payloads(): Float64Array {
    return Float64Array.from(this.samples(this.firstKnown(), this.to));
  }

  /** The newest sample time of each minute. */
  ofMinutes(): number[] {
    const newest: number[] = [];
    for (const time of this.samples(this.firstKnown(), this.to)) {
      const last = newest.at(-1);
      if (last !== undefined && Math.floor(last / MINUTE_MS) === Math.floor(time / MINUTE_MS))
        newest[newest.length - 1] = time;
      else newest.push(time);
    }
    return newest;
  }
}

function metricFacts(
  host: Host,
  subject: Subject,
  metric: string,
  times: Times,
  at: (time: number) => number,
  missing: Situation['missing'],
): MetricFacts {
  const known = (time: number) => missing === undefined || subject.kind !== 'host' || !missing(metric, time);
  const ref =
    subject.kind === 'host'
      ? `host:${host.name}/${metric}`
      : `container:${host.name}/${subject.name}/${metric}`;
  return {
    subject,
    metric,
    unit: null,
    history: times.history(at, known),
    recent: times.recent(at, known),
    before: times.before(at, known),
    source: source(ref, times.from, times.to),
  };
}

function snapshotsOf(host: Host, times: Times): SnapshotFacts[] {
  return times.ofMinutes().map((time) => {
    const all = host.processes.filter((each) => each.alive(time)).map((each) => useOf(each, time));
    const busiest = all.toSorted((a, b) => (b.cpuPercent ?? 0) - (a.cpuPercent ?? 0)).slice(0, LISTED);
    const largest = all.toSorted((a, b) => (b.memory ?? 0) - (a.memory ?? 0)).slice(0, LISTED);
    const containers = host.containers
      .filter((each) => each.alive(time))
      .map((each) => ({ ...useOf(each, time), image: `${each.name}:1`, status: each.status(time) }));
    return { time, processes: byName([...new Set([...busiest, ...largest])]), containers };
  });
}

/** Sums the use of all processes or containers with the same name, as the store does. */
function byName(uses: readonly UseFacts[]): UseFacts[] {
  const sum = (values: ReadonlyArray<number | null>) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return [...Map.groupBy(uses, ({ name }) => name)].map(([name, same]) => ({
    name,
    count: same.length,
    pids: same.flatMap(({ pids }) => pids),
    cpuPercent: sum(same.map(({ cpuPercent }) => cpuPercent)),
    memory: sum(same.map(({ memory }) => memory)),
  }));
}

function useOf(user: User, time: number): UseFacts {
  const at = (signal: Signal) => Math.max(0, signal.at(time));
  return {
    name: user.name,
    count: 1,
    pids: [user.pid(time)],
    cpuPercent: at(user.cpu),
    memory: at(user.memory),
  };
}

export function source(ref: string, from: number, to: number): Source {
  return { ref, query: `synthetic ${ref}`, from, to };
}
