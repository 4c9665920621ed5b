import { Random } from '../random.ts';
import type { Payload, RecordedCase } from '../recorded/recording.ts';

const INTERVAL_MS = 5 * 60_000;
const HISTORY = 288;
const WINDOW = 5;
const START = Date.UTC(2026, 0, 5);
const SERVICES = 16;

export interface PropagatedIncident {
  readonly one: Pick<RecordedCase, 'incident' | 'alert'>;
  readonly payloads: readonly Payload[];
  readonly cause: string;
  readonly kind: 'delay' | 'errors';
  /** The number of calls between the front end and the cause. */
  readonly depth: number;
}

interface Service {
  readonly calls: Call[];
  /** The time that the service itself takes for a request, seconds. */
  readonly own: number;
  /** The number of requests in an interval, including calls of other services. */
  requests: number;
  /** The number of requests from outside clients, which are shown as a host of their own if there are any. */
  readonly outside: number;
  slow: number;
}

interface Call {
  readonly to: number;
  /** The number of calls for each request of the caller. */
  readonly each: number;
  /** The share of calls that a host on the client's side reports; 0 if there is no such host. */
  readonly seen: number;
}

/**
 * An incident with a fault somewhere in a tree of services that call each other: delays add up along the calls, and
 * failures fail the caller's request. The front end alerts. A day of five-minute samples, of which the last five are the
 * incident. Null if the front end hardly shows the fault.
 */
export function propagate(seed: number): PropagatedIncident | null {
  const random = new Random(seed);
  const kind = random.next() < 0.5 ? 'delay' : 'errors';
  const services = tree(random);
  const busy = services.map((_, i) => i).filter((i) => i > 0 && (services[i]?.requests ?? 0) > 20);
  const root = busy[random.below(busy.length)] ?? 1;
  const strength = kind === 'delay' ? 0.02 + 0.15 * random.next() : 0.01 + 0.05 * random.next();
  const begin = HISTORY + 1 + random.below(2);
  const end = begin + 2 + random.below(2);
  const metric = kind === 'delay' ? 'latency_average' : 'availability_average';
  const payloads: Payload[] = [];
  const front: number[] = [];
  for (let step = 0; step < HISTORY + WINDOW; step++) {
    const timestamp = START + step * INTERVAL_MS;
    const edge = step === begin || step === end - 1 ? 0.2 + 0.8 * random.next() : 1;
    const fault = step >= begin && step < end ? strength * edge * (0.6 + 0.4 * random.next()) : 0;
    for (const [host, value] of measure(services, kind, root, fault, random)) {
      payloads.push({ host, timestamp, metrics: { [metric]: value }, tags: {} });
      if (host === 's0') front.push(value);
    }
  }
  if (!shows(front.slice(0, HISTORY), front.slice(HISTORY))) return null;
  const from = START + HISTORY * INTERVAL_MS;
  return {
    one: {
      incident: { from, to: from + (WINDOW - 1) * INTERVAL_MS },
      alert: { host: 's0', metric, at: from + 3 * INTERVAL_MS },
    },
    payloads,
    cause: `s${root}`,
    kind,
    depth: depthOf(services, root),
  };
}

function tree(random: Random): Service[] {
  const services = Array.from(
    { length: SERVICES },
    (_, i): Service => ({
      calls: [],
      own: i === 0 ? 0.02 + 0.05 * random.next() : Math.exp(-5 + 2.5 * random.next()),
      requests: i === 0 ? 300 + 600 * random.next() : 0,
      outside: i > 0 && random.next() < 0.25 ? 30 + 50 * random.next() : 0,
      slow: 0,
    }),
  );
  for (let i = 1; i < SERVICES; i++) {
    const caller = services[Math.floor(random.next() ** 1.3 * i)];
    const seen = random.next() < 0.5 ? 0.05 + 0.4 * random.next() : 0;
    caller?.calls.push({ to: i, each: Math.exp(-1.5 + 1.8 * random.next()), seen });
  }
  for (const service of services) {
    service.requests += service.outside;
    for (const { to, each } of service.calls) {
      const callee = services[to];
      if (callee !== undefined) callee.requests += service.requests * each;
    }
  }
  return services;
}

/**
 * Returns the values that every host reports for one interval. Callees come after callers in the list, so services are
 * measured from last to first.
 */
function measure(
  services: readonly Service[],
  kind: PropagatedIncident['kind'],
  root: number,
  fault: number,
  random: Random,
): Map<string, number> {
  const reported = new Map<string, number>();
  const seconds: number[] = [];
  const failing: number[] = [];
  const percent = (requests: number, chance: number) => {
    const count = Math.max(1, Math.round(requests));
    return 100 * (1 - random.binomial(count, chance) / count);
  };
  for (const [i, service] of [...services.entries()].reverse()) {
    const requests = Math.max(1, service.requests + Math.sqrt(service.requests) * random.normal());
    service.slow = 0.8 * service.slow + 0.6 * random.normal();
    const jitter = (share: number) => (share * random.normal()) / Math.sqrt(requests);
    let time = service.own * (1 + 0.03 * service.slow) * (1 + jitter(0.5));
    let good = 1 - 0.0002;
    if (i === root && kind === 'delay') time += fault * (1 + jitter(0.5));
    if (i === root && kind === 'errors') good -= fault;
    for (const { to, each, seen } of service.calls) {
      const calls = Math.max(1, service.requests * each);
      const noise = (share: number, count: number) => 1 + (share * random.normal()) / Math.sqrt(count);
      time += each * (seconds[to] ?? 0) * Math.max(0.2, noise(0.4, calls));
      good *= 1 - Math.min(1, each * (failing[to] ?? 0));
      if (seen === 0) continue;
      const view = 0.005 + (seconds[to] ?? 0) * Math.max(0.1, noise(0.8, calls * seen));
      reported.set(`view-${i}-${to}`, kind === 'delay' ? view : percent(calls * seen, failing[to] ?? 0));
    }
    seconds[i] = time;
    failing[i] = 1 - good;
    reported.set(`s${i}`, kind === 'delay' ? time : percent(requests, 1 - good));
    if (service.outside > 0) {
      const felt = 0.003 * (1 + 0.2 * random.normal());
      reported.set(`client-${i}`, kind === 'delay' ? felt : percent(service.outside, 1 - good));
    }
  }
  return reported;
}

/** Whether the front end shows the fault: it leaves its earlier range by half of that range. */
function shows(before: readonly number[], inside: readonly number[]): boolean {
  const [low, high] = [Math.min(...before), Math.max(...before)];
  const margin = (high - low) / 2;
  return inside.some((value) => value < low - margin || value > high + margin);
}

function depthOf(services: readonly Service[], target: number): number {
  const caller = services.findIndex(({ calls }) => calls.some(({ to }) => to === target));
  return target === 0 || caller === -1 ? 0 : 1 + depthOf(services, caller);
}
