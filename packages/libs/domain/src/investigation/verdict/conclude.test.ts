import { describe, expect, it } from 'vitest';
import type { Facts } from '../facts.ts';
import { fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { DETECTORS, investigate } from '../investigate.ts';
import { hostFacts, minutely, NOON, noise, snapshots, source, use } from '../testing/host-facts.ts';

/** Facts of a calm host with a sample a minute for three hours, changed as the test needs. */
function enacted(
  given: {
    cpu?: (ago: number) => number;
    memory?: (ago: number) => number;
    job?: string;
    api?: (ago: number) => number;
    seed?: number;
  } & Partial<Facts>,
): Facts {
  const { cpu, memory, job, api, seed = 1, ...more } = given;
  const container = { kind: 'container', name: 'api' } as const;
  return hostFacts({
    metrics: [
      minutely('cpu_percent', 190, (ago) => cpu?.(ago) ?? 22 + 3 * noise(ago, seed)),
      minutely('memory_percent', 190, (ago) => memory?.(ago) ?? 41 + noise(ago, seed + 1)),
      minutely('disk_percent', 190, (ago) => 55 + (190 - ago) * 0.001),
      minutely('load_1', 190, (ago) => 0.8 + 0.1 * noise(ago, seed + 2)),
      minutely('memory_usage', 190, (ago) => api?.(ago) ?? 3e8, container),
      minutely('cpu_percent', 190, (ago) => 5 + noise(ago, seed + 3), container),
    ],
    snapshots: snapshots(100, (ago) => ({
      processes: [
        use('nginx', 6 + noise(ago, seed + 4), 2e8),
        use('postgres', 9 + noise(ago, seed + 5), 9e8),
        ...(job !== undefined && ago < 10 ? [use(job, 72 + 2 * noise(ago, seed), 3e8, 4_242)] : []),
      ],
    })),
    ...more,
  });
}

const busy = (ago: number) => (ago < 10 ? 96 : 22) + noise(ago);

describe('a process that eats CPU', () => {
  const verdict = investigate(enacted({ cpu: busy, job: 'runaway-job' }));

  it('is named, with what is not affected', () => {
    expect(verdict).toMatchObject({ conclusion: 'root_cause_found', confidence: 'high', rootCause: 0 });
    expect(verdict.findings[0]?.subject).toEqual({ kind: 'process', name: 'runaway-job' });
    expect(verdict.summary).toContain('Very probably the cause: process "runaway-job"');
    expect(verdict.summary).toContain('As usual on web-01: disk_percent, memory_percent');
    expect(verdict.rootCauseText).toContain('runaway-job');
    expect(verdict.inconclusiveReason).toBeNull();
    const symptom = verdict.findings.find(({ detector }) => detector === 'alerting-metric');
    expect([verdict.findings[0]?.possibleCause, symptom?.possibleCause]).toEqual([true, false]);
  });

  it('has recommendations that state their risk', () => {
    expect(verdict.recommendations.map(({ command }) => command)).toEqual([
      'ps -o pid,ppid,user,etime,pcpu,rss,args -p 4242',
      'renice -n 19 -p 4242',
      'kill -TERM 4242',
    ]);
    expect(verdict.recommendations[2]?.risk).toMatch(/^Destructive/);
    expect(verdict.recommendations.every(({ evidenceRefs }) => evidenceRefs.length > 0)).toBe(true);
  });

  it('is in the timeline in order of time', () => {
    const times = verdict.timeline.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(verdict.timeline.map(({ type }) => type)).toContain('process_started');
  });

  it('cites evidence for every finding, within its bounds', () => {
    for (const { evidence, score } of verdict.findings) {
      expect(evidence.length).toBeGreaterThan(0);
      expect(evidence.every(({ points }) => points.length <= 240)).toBe(true);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    const scores = verdict.findings.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

it('a container that leaks over most of an hour is named', () => {
  const verdict = investigate(
    enacted({
      metric: 'memory_percent',
      memory: (ago) => 41 + (54 * Math.max(0, 49 - ago)) / 49 + 0.5 * noise(ago),
      api: (ago) => 3e8 + (8e9 * Math.max(0, 49 - ago)) / 49,
    }),
  );
  expect(verdict.conclusion).toBe('root_cause_found');
  expect(verdict.findings[0]?.subject).toEqual({ kind: 'container', name: 'api' });
  expect(verdict.recommendations[0]?.command).toBe("docker logs --since 1h --tail 200 --timestamps -- 'api'");
});

it.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'a healthy host under a low threshold is inconclusive, by seed %i',
  (seed) => {
    const verdict = investigate(enacted({ seed: seed * 10 }));
    expect(verdict).toMatchObject({
      conclusion: 'inconclusive',
      rootCause: null,
      rootCauseText: null,
      confidence: 'low',
      inconclusiveReason: 'nothing_unusual',
    });
    expect(verdict.summary).toContain('lies within what this metric usually does');
  },
);

it('a metric that rose without any other finding is inconclusive: its rise alone is no cause', () => {
  const verdict = investigate(
    enacted({
      metric: 'latency_ms',
      metrics: [minutely('latency_ms', 190, (ago) => (ago < 10 ? 900 : 50) + noise(ago))],
    }),
  );
  expect(verdict).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'cause_not_seen' });
  expect(verdict.summary).toContain(
    'The cause is not in what Tidewatch sees: no metric, process or container of web-01 explains it',
  );
  expect(verdict.findings[0]?.detector).toBe('alerting-metric');
  expect(verdict.recommendations.every(({ risk }) => !/^Destructive|^Interrupts/.test(risk))).toBe(true);
});

it('the investigation of a silent host is inconclusive, and reports the silence', () => {
  const facts = hostFacts();
  const quiet = facts.payloadTimes.filter((time) => time < NOON - 600_000);
  const verdict = investigate({
    ...facts,
    alert: facts.alert === null ? null : { ...facts.alert, noData: true },
    payloadTimes: quiet,
    metrics: [],
  });
  expect(verdict).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'cause_not_seen' });
  expect(verdict.findings[0]?.kind).toBe('data_gap');
});

it('an investigation without any data is inconclusive', () => {
  const verdict = investigate(
    hostFacts({
      metric: null,
      alert: null,
      metrics: [],
      snapshots: [],
      snapshotSource: null,
      payloadTimes: new Float64Array(),
      pastSource: null,
    }),
  );
  expect(verdict).toMatchObject({ findings: [], conclusion: 'inconclusive', timeline: [] });
  expect(verdict.summary).toContain('web-01');
});

it('names that agents report cannot run as shell commands or become Markdown', () => {
  const name = "x'; reboot; ![a](https://evil.example/a.png) <script>";
  const facts = enacted({ cpu: busy, job: name });
  const verdict = investigate({
    ...facts,
    snapshots: facts.snapshots.map((each) => ({
      ...each,
      processes: each.processes.map((use) => ({ ...use, pids: [] })),
    })),
  });
  expect(verdict.recommendations[0]?.command).toBe(
    "ps -o pid,ppid,user,etime,pcpu,rss,args -C 'x'\\''; reboot; ![a](https://evil.example/a.png) <script>'",
  );
  expect(verdict.detailsMarkdown).not.toMatch(/(?<!\\)!\[|(?<!\\)<script/);
});

it('the same facts give the same verdict, and each detector runs by itself', () => {
  const facts = enacted({ cpu: busy, job: 'runaway-job' });
  expect(investigate(facts)).toEqual(investigate(facts));
  const names = DETECTORS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const detector of DETECTORS)
    expect(detector.detect(hostFacts({ snapshotSource: source('s') }))).toBeInstanceOf(Array);
});

it.each([
  [4, 'root_cause_found', null],
  [3, 'root_cause_found', null],
  [1.5, 'root_cause_found', null],
  [1.2, 'inconclusive', 'cause_not_seen'],
  [0.3, 'inconclusive', 'nothing_unusual'],
])(
  'a host that was asked about, a metric of which went %d ranges beyond its usual ones: %s',
  (ranges, conclusion, reason) => {
    const usual = (ago: number) => 100 + 10 * noise(ago, 3);
    const facts = hostFacts({
      metric: null,
      alert: null,
      snapshots: [],
      metrics: [
        minutely('sockets', 190, (ago) => (ago < 15 ? 110 + 20 * ranges : usual(ago))),
        minutely('latency_ms', 190, (ago) => 50 + 5 * noise(ago, 4)),
      ],
    });
    const verdict = investigate(facts);
    expect(verdict).toMatchObject({ conclusion, inconclusiveReason: reason });
    expect(verdict.findings[0]?.metric).toBe('sockets');
    expect(verdict.summary).toContain('As usual on web-01: latency_ms.');
    expect(verdict.findings.some(({ metric }) => metric === 'latency_ms')).toBe(true);
  },
);

it('two processes that took the processor alike are both named as probable, and neither as the cause', () => {
  const facts = enacted({ cpu: busy });
  const both = snapshots(100, (ago) => ({
    processes: [
      use('nginx', 6 + noise(ago, 4), 2e8),
      ...(ago < 10
        ? ['one-job', 'two-job'].map((name, i) => use(name, 37 + noise(ago, i), 3e8, 4_242 + i))
        : []),
    ],
  }));
  const verdict = investigate({ ...facts, snapshots: both });
  expect(verdict).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'several_alike' });
  expect(verdict.summary).toMatch(
    /about as probable: .*one-job.*two-job|about as probable: .*two-job.*one-job/,
  );
});

describe('another host that went to its limit', () => {
  const usual =
    (seed: number): Shape =>
    (minute) =>
      22 + wobble(seed, minute);
  const limit =
    (seed: number): Shape =>
    (minute) =>
      (minute < 25 ? 22 : 96) + wobble(seed, minute);
  const peers = [
    ...Array.from({ length: 6 }, (_, i) => ({
      host: `calm-${i}`,
      metrics: { cpu_percent: usual(i + 1) },
    })),
    { host: 'busy', metrics: { cpu_percent: limit(50) } },
  ];

  it('is not the cause of an alert on a metric that stayed in its usual range', () => {
    const verdict = investigate(fleetFacts({ metric: 'cpu_percent', own: usual(40), peers }));
    expect(verdict).toMatchObject({ conclusion: 'inconclusive', rootCause: null, confidence: 'low' });
    expect(verdict.findings.map(({ title }) => title)).toContain('cpu_percent of busy left its usual range');
  });

  it('is not the cause of missing data', () => {
    const own: Shape = (minute) => (minute < 26 ? 40 : 300) + 10 * wobble(40, minute);
    const facts = fleetFacts({ metric: 'latency_ms', own, peers });
    const alert = hostFacts().alert;
    if (alert === null) throw new Error('these facts have an alert');
    const verdict = investigate({ ...facts, alert: { ...alert, noData: true } });
    expect(verdict).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'cause_not_seen' });
  });

  it('is not the cause where it only serves more errors along with the symptom', () => {
    const errors: Shape = (minute) => (minute < 26 ? 0 : 10) + 0.2 * wobble(9, minute);
    const own: Shape = (minute) => (minute < 26 ? 40 : 300) + 10 * wobble(40, minute);
    const others = peers.filter(({ host }) => host !== 'busy');
    const facts = fleetFacts({
      metric: 'latency_ms',
      own,
      peers: [...others, { host: 'failing', metrics: { errors_per_second: errors } }],
    });
    const verdict = investigate(facts);
    expect(verdict.findings[0]?.title).toBe(
      'errors_per_second of failing moved together with latency_ms of own',
    );
    expect(verdict).toMatchObject({
      conclusion: 'inconclusive',
      inconclusiveReason: 'cause_not_seen',
      rootCause: null,
    });
    expect(verdict.findings[0]?.possibleCause).toBe(false);
    expect(verdict.summary).toContain('With it went: errors_per_second of failing moved together');
    expect(verdict.summary).not.toContain('ost probable');
    expect(verdict.detailsMarkdown).toMatch(/\*\*errors\\?_per\\?_second of failing [^*]*\*\*\. /);
  });

  it('is the cause of an alert on a metric that followed it', () => {
    const own: Shape = (minute) => (minute < 26 ? 40 : 300) + 10 * wobble(40, minute);
    const verdict = investigate(fleetFacts({ metric: 'latency_ms', own, peers }));
    expect(verdict.conclusion).toBe('root_cause_found');
    expect(verdict.findings[0]?.title).toBe('cpu_percent of busy moved together with latency_ms of own');
  });
});

it('a metric that did not move in half an hour of history is not called usual', () => {
  const metrics = [minutely('cpu_percent', 60, (ago) => 80 + noise(ago))];
  const verdict = investigate(enacted({ metrics }));
  expect(verdict).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'too_little_history' });
  expect(verdict.summary).toMatch(/Only \d+ minutes of history are known from before/);
  expect(verdict.recommendations.map(({ title }) => title).join()).not.toContain('threshold');
});

it('no cause is named on another host while nothing is known from before the trouble', () => {
  const busy: Shape = (minute) => 20 + wobble(3, minute) + (minute >= 25 ? 70 : 0);
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: (minute) => 20 + wobble(1, minute) + (minute >= 25 ? 60 : 0),
    peers: [{ host: 'busy', metrics: { cpu_percent: busy } }],
  });
  expect(investigate(facts).conclusion).toBe('root_cause_found');
  const newest = ({ times, values }: { times: Float64Array; values: Float64Array }) => ({
    times: times.subarray(-2),
    values: values.subarray(-2),
  });
  const [metric] = facts.metrics;
  if (metric === undefined) throw new Error('there is a metric');
  const none = { times: new Float64Array(), values: new Float64Array() };
  const young = { ...metric, history: newest(metric.history), recent: newest(metric.recent), before: none };
  expect(investigate({ ...facts, metrics: [young] })).toMatchObject({
    conclusion: 'inconclusive',
    inconclusiveReason: 'too_little_history',
    findings: expect.arrayContaining([expect.objectContaining({ host: 'busy' })]),
  });
});
