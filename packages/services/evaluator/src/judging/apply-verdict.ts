import type { Resolution } from '@tidewatch/contracts/alert';
import type { Payload } from '@tidewatch/contracts/sample';
import type { PairState, Verdict } from '@tidewatch/domain/alerting/judge';
import type { HeldAlert, Pair } from '../memory/judged-service.ts';
import { alertRowOf } from './alert-row.ts';
import type { Changes } from './changes.ts';

/** A judged time may lag behind in the store by this before it is written without any other change. */
const LONGEST_LAG_MS = 60_000;

/** What judging a payload needs besides the payload. */
export interface Judging {
  changes: Changes;
  /** Pairs whose value, peak or time moved without a transition; written a little later. */
  dirtyPairs: Set<Pair>;
  newAlertId(): string;
  /** The server's clock, ms. */
  now: number;
}

/** Carries a verdict over into memory and into what is to be written. `backfilled` is asked only when an alert fires. */
export function applyVerdict(
  judging: Judging,
  pair: Pair,
  verdict: Verdict,
  payload: Payload,
  value: number,
  backfilled: () => boolean,
): void {
  const { changes } = judging;
  const before = pair.state;
  const state = verdict.next;
  pair.state = state;
  if (verdict.transitions.length === 0) {
    if (state) settle(judging, pair, before, state);
    return;
  }
  changes.pairs.add(pair);
  changes.moveCounts(pair.rule, before, state);
  for (const kind of verdict.transitions) {
    changes.countTransition(kind);
    if (kind === 'fired' && state) fire(judging, pair, state, payload, backfilled());
    else if ((kind === 'recovering' || kind === 'refired') && state) changeAlert(judging, pair, state);
    else if (kind === 'resolved' && before) resolve(judging, pair, before, payload.time, value, 'recovered');
  }
}

/** Ends a pair that no rule or service wants any more, at the server's time. */
export function dropPair(judging: Judging, pair: Pair, resolution: Resolution): void {
  const { state } = pair;
  if (!state) return;
  const { changes } = judging;
  pair.state = null;
  changes.pairs.add(pair);
  changes.moveCounts(pair.rule, state, null);
  changes.countTransition(state.state === 'pending' ? 'cleared' : 'resolved');
  if (pair.alert) resolve(judging, pair, state, judging.now, state.value, resolution);
}

function fire(judging: Judging, pair: Pair, state: PairState, payload: Payload, backfilled: boolean): void {
  const { changes } = judging;
  const row = alertRowOf(pair, state, judging.newAlertId(), payload, backfilled, judging.now);
  state.alertId = row.id;
  const { org_id: organizationId, id, severity, rule_version: ruleVersion } = row;
  pair.alert = { organizationId, id, severity, ruleVersion, row, change: null };
  changes.alerts.add(pair.alert);
  changes.services.add(pair.service);
  changes.happenings.push({ kind: 'fired', rule: pair.rule, row: { ...row } });
}

function settle(judging: Judging, pair: Pair, before: PairState | null, state: PairState): void {
  if (pair.alert && pair.alert.ruleVersion !== pair.rule.version) changeAlert(judging, pair, state);
  const moved = before === null || before.value !== state.value || before.peakValue !== state.peakValue;
  if (pair.dirty || (!moved && state.judgedAt - pair.storedAt < LONGEST_LAG_MS)) return;
  pair.dirty = true;
  judging.dirtyPairs.add(pair);
}

/** Stages the alert as the pair's state has it, with the rule's present terms. */
export function changeAlert(judging: Judging, pair: Pair, state: PairState): void {
  const { alert, rule } = pair;
  if (!alert) return;
  const { changes, now } = judging;
  const edited = alert.ruleVersion !== rule.version;
  if (edited) {
    if (alert.severity !== rule.severity) changes.services.add(pair.service);
    alert.severity = rule.severity;
    alert.ruleVersion = rule.version;
  }
  stage(
    judging,
    alert,
    pair,
    state.state === 'recovering' ? 'recovering' : 'firing',
    state,
    state.value,
    null,
    null,
    edited,
  );
  changes.alerts.add(alert);
  if (alert.row) alert.row.updated_at = now;
}

function resolve(
  judging: Judging,
  pair: Pair,
  state: PairState,
  at: number,
  value: number,
  resolution: Resolution,
): void {
  const { alert, rule } = pair;
  if (!alert) return;
  const { changes } = judging;
  const peakValue = rule.isWorse(value, state.peakValue) ? value : state.peakValue;
  const edited = resolution === 'recovered' && alert.ruleVersion !== rule.version;
  stage(judging, alert, pair, 'resolved', { ...state, peakValue }, value, at, resolution, edited);
  changes.alerts.add(alert);
  changes.services.add(pair.service);
  const told = alert.row ? { row: { ...alert.row } } : { alert };
  changes.happenings.push({ kind: 'resolved', rule, ...told });
  pair.alert = null;
}

function stage(
  judging: Judging,
  alert: HeldAlert,
  pair: Pair,
  state: 'firing' | 'recovering' | 'resolved',
  pairState: PairState,
  value: number,
  resolvedAt: number | null,
  resolution: Resolution | null,
  edited: boolean,
): void {
  const { version, severity, condition, threshold, thresholdMax } = pair.rule;
  const { peakValue, flapCount } = pairState;
  const terms = { version, severity, condition, threshold, thresholdMax };
  if (!alert.row) {
    const rule = edited ? terms : (alert.change?.rule ?? null);
    const { organizationId, id } = alert;
    alert.change = {
      organizationId,
      id,
      state,
      value,
      peakValue,
      flapCount,
      resolvedAt,
      resolution,
      updatedAt: judging.now,
      rule,
    };
    return;
  }
  const status = state === 'resolved' ? 'resolved' : 'active';
  Object.assign(alert.row, {
    status,
    state,
    value,
    peak_value: peakValue,
    flap_count: flapCount,
    updated_at: judging.now,
  });
  Object.assign(alert.row, { resolved_at: resolvedAt, resolution });
  if (edited)
    Object.assign(alert.row, {
      rule_version: version,
      severity,
      condition,
      threshold,
      threshold_max: thresholdMax,
    });
}
