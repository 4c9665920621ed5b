import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts } from '../facts.ts';
import type { EvidenceDraft, FindingDraft } from '../finding.ts';
import { MIN_PAST_VALUES } from '../symptom/past.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { clock, isoTime, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';

/** The minimum length of a gap in usual intervals; a gap is also longer than half a minute. */
const INTERVALS = 4;

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Whether no payload has followed the gap. */
  readonly open: boolean;
}

/**
 * Finds gaps in the payloads of the host, measured by its usual interval, and metrics that stopped while others went on. A
 * gap is no cause: it shows for which time nothing is known.
 */
export const dataGaps: Detector = {
  name: 'data-gaps',
  detect(facts) {
    const gaps = gapsOf(facts).slice(-3);
    return [...gaps.map((gap) => silence(facts, gap)), ...stopped(facts)];
  },
};

function gapsOf(facts: Facts): Gap[] {
  const { payloadTimes: times, intervalMs } = facts;
  const least = Math.max(30_000, INTERVALS * intervalMs);
  const gaps: Gap[] = [];
  for (let i = 1; i < times.length; i++) {
    const from = times[i - 1] as number;
    const to = times[i] as number;
    if (to - from > least && to >= facts.from) gaps.push({ from, to, open: false });
  }
  const last = times.at(-1);
  if (last !== undefined && facts.to - last > least) gaps.push({ from: last, to: facts.to, open: true });
  return gaps;
}

function silence(facts: Facts, { from, to, open }: Gap): FindingDraft {
  const host = plain(facts.service.host);
  const rhythm =
    facts.payloadTimes.length > MIN_PAST_VALUES ? `It usually sends every ${span(facts.intervalMs)}. ` : '';
  const distance = Math.abs(symptomOf(facts).startedAt - from);
  const evidence: EvidenceDraft = {
    ref: `payloads/${host}`,
    query: 'the times of the payloads of the host',
    from: facts.payloadTimes[0] ?? facts.from,
    to: facts.to,
    stats: {
      usual_interval_seconds: facts.intervalMs / 1_000,
      gap_seconds: (to - from) / 1_000,
      from: isoTime(from),
      to: open ? null : isoTime(to),
    },
    points: Array.from(facts.payloadTimes.subarray(-120), (time) => ({ t: isoTime(time) })),
  };
  return aboutHost(facts, {
    kind: 'data_gap',
    detector: 'data-gaps',
    title: open
      ? `${host} has sent nothing since ${clock(from, facts.to)}`
      : `${host} sent nothing for ${span(to - from)} from ${clock(from, facts.to)}`,
    description: `${rhythm}What happened in those ${span(to - from)} is not known.`,
    score: 0.5 * Math.exp(-distance / (30 * MINUTE_MS)),
    subject: { kind: 'host', name: facts.service.host },
    startedAt: from,
    evidence: [evidence],
  });
}

/** Finds metrics that stopped while the host still sent others. */
function stopped(facts: Facts): FindingDraft[] {
  const last = facts.payloadTimes.at(-1) ?? facts.to;
  const least = Math.max(2 * MINUTE_MS, INTERVALS * facts.intervalMs);
  return facts.metrics
    .filter(({ recent, history }) => {
      const end = recent.times.at(-1) ?? history.times.at(-1);
      return end !== undefined && last - end > least && end >= facts.from;
    })
    .slice(0, 3)
    .map((metric) => {
      const end = metric.recent.times.at(-1) ?? facts.from;
      return aboutHost(facts, {
        kind: 'data_gap',
        detector: 'data-gaps',
        title: `${plain(metric.metric)} has not been reported since ${clock(end, facts.to)}`,
        description: `Other payloads of the host came until ${clock(last, facts.to)}, ${span(last - end)} later.`,
        score: metric.metric === facts.metric ? 0.4 : 0.1,
        subject: metric.subject,
        metric: metric.metric,
        startedAt: end,
        evidence: [metricEvidence(metric, null, facts.to)],
      });
    });
}
