import type {
  Analysis,
  Feedback,
  Recommendation,
  TimelineEntry,
  Usage,
} from '@tidewatch/contracts/investigations/analysis';
import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import type { Investigation, InvestigationItem } from '@tidewatch/contracts/investigations/investigation';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Queryable } from '@tidewatch/database/connection';

/** The columns of `investigations` that the API returns. Times are ms. */
export interface InvestigationRow {
  organization_id: string;
  id: string;
  created_at: number;
  created_by: Actor | null;
  trigger: Investigation['trigger'];
  alert_ids: string[];
  storm_alerts: number;
  service_id: string;
  host: string;
  metric: string | null;
  question: string | null;
  severity: Investigation['severity'];
  title: string;
  window_from: number;
  window_to: number;
  status: Investigation['status'];
  started_at: number | null;
  completed_at: number | null;
  conclusion: Investigation['conclusion'];
  confidence: Investigation['confidence'];
  findings: Finding[];
  analysis: Analysis | null;
  timeline: TimelineEntry[];
  recommendations: Recommendation[];
  usage: Usage | null;
  feedback: Feedback | null;
  failure: string | null;
}

/** A row of `investigation_evidence`. Times are ms. */
export interface EvidenceRow {
  id: string;
  query: string;
  window_from: number;
  window_to: number;
  stats: Evidence['stats'];
  points: Evidence['points'];
}

/** The columns of InvestigationRow from `investigations i`. */
export function investigationColumns(sql: Queryable) {
  return sql`i.organization_id, i.id, i.created_at, i.created_by, i.trigger, i.service_id, i.host, i.metric, i.question,
    i.severity, i.title, i.window_from, i.window_to, i.status, i.started_at, i.completed_at, i.conclusion, i.confidence,
    i.findings, i.storm_alerts, i.analysis, i.timeline, i.recommendations, i.usage, i.feedback, i.failure,
    array(select a.alert_id from investigation_alerts a
      where a.organization_id = i.organization_id and a.investigation_id = i.id order by 1) as alert_ids`;
}

const time = (ms: number | null) => (ms === null ? null : toIso(ms));

/** The investigation as lists of the API return it. */
export function investigationItem(row: InvestigationRow): InvestigationItem {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    // Hidden while the investigation is run again, although the row keeps the last result.
    conclusion: row.status === 'completed' ? row.conclusion : null,
    confidence: row.status === 'completed' ? row.confidence : null,
    severity: row.severity,
    service_id: row.service_id,
    host: row.host,
    metric: row.metric,
    alert_ids: row.alert_ids,
    storm_alerts: row.storm_alerts,
    from: toIso(row.window_from),
    to: toIso(row.window_to),
    // Records of earlier versions do not say whether a finding may be the cause.
    findings: row.findings.map((each) => ({ ...each, possible_cause: each.possible_cause ?? null })),
    created_at: toIso(row.created_at),
    completed_at: time(row.completed_at),
  };
}

/** The investigation in full. */
export function investigationRecord(row: InvestigationRow, evidence: readonly EvidenceRow[]): Investigation {
  return {
    ...investigationItem(row),
    trigger: row.trigger,
    question: row.question,
    created_by: row.created_by,
    started_at: time(row.started_at),
    failure: row.failure,
    // Records of earlier versions do not say why no cause is named.
    analysis:
      row.analysis === null
        ? null
        : { ...row.analysis, inconclusive_reason: row.analysis.inconclusive_reason ?? null },
    timeline: row.timeline,
    recommendations: row.recommendations,
    evidence: evidence.map(({ id, query, window_from, window_to, stats, points }) => {
      return { id, query, from: toIso(window_from), to: toIso(window_to), stats, points };
    }),
    usage: row.usage,
    feedback: row.feedback,
  };
}
