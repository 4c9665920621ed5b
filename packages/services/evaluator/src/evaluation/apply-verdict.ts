import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type { PairState, TransitionKind, Verdict } from '@tidewatch/domain/alerting/pair-state';
import type { Muting } from '@tidewatch/domain/silence/active-silences';
import type { MutedAlert } from '@tidewatch/domain/silence/silence';
import type { AlertPhase, LogPlace, SampleReference } from '@tidewatch/store/alerts/transitions';
import type { AlertTerms } from '@tidewatch/store/alerts/write';
import type { JudgedService } from '../memory/judged-service.ts';
import type { Pair } from '../memory/pair.ts';
import { alertRowOf } from './alert-row.ts';
import { sameTerms, termsOf } from './alert-terms.ts';
import type { Changes } from './changes.ts';
import { countFlap } from './count-flap.ts';
import { mute } from './mute.ts';
import { tell } from './tell.ts';

/** A judged time may lag behind in the store by this before it is written without any other change. */
const MAX_LAG_MS = 60_000;

/** What judging a payload needs besides the payload. */
export interface Judging {
  changes: Changes;
  /** Pairs whose value, peak or time moved without a transition; written a little later. */
  dirtyPairs: Set<Pair>;
  newAlertId(): string;
  /** What mutes an alert of the service that fires now, null where nothing does. */
  muting(service: JudgedService, alert: MutedAlert): Muting | null;
  /** Called before a pair begins: ends another one of its rule and subject that waits to be ended. */
  endFormer(pair: Pair): void;
  /** The server's clock, ms. */
  now: number;
}

/** The way of a payload to its judging. Times are ms; `place` is null where no log is kept. */
export interface Origin {
  receivedAt: number;
  publishedAt: number;
  consumedAt: number;
  place: LogPlace | null;
}

/** What led to a verdict. */
export interface Cause {
  /** Time of the sample, or of what stands for it, ms. */
  at: number;
  value: number | null;
  /** Null where it is not a payload but its absence. */
  payload: Payload | null;
  /** When and where the payload came; null where it is none. */
  origin: Origin | null;
  /** Asked only when an alert fires. */
  backfilled(): boolean;
  /** What a resolution is put down to; `recovered` unless given. */
  resolution?: Resolution;
}

const STEPS = {
  recovering: { from: 'firing', to: 'recovering', reason: 'clear' },
  refired: { from: 'recovering', to: 'firing', reason: 'breach' },
  escalated: { from: 'firing', to: 'firing', reason: 'escalated' },
  eased: { from: 'firing', to: 'firing', reason: 'eased' },
} as const;
const CHANGES_OF_AN_ALERT: ReadonlySet<TransitionKind> = new Set([
  'recovering',
  'refired',
  'escalated',
  'eased',
]);

/** Carries a verdict over into memory and into what is to be written. */
export function applyVerdict(judging: Judging, pair: Pair, verdict: Verdict, cause: Cause): void {
  const { changes } = judging;
  const before = pair.state;
  let { opened } = pair;
  const state = verdict.next;
  if (before === null && verdict.transitions.length > 0) judging.endFormer(pair);
  pair.state = state;
  if (verdict.transitions.length === 0) {
    if (state) settle(judging, pair, before, state, cause);
    return;
  }
  changes.pairs.add(pair);
  changes.moveCounts(pair.rule, before, state);
  const sample = { at: cause.at, value: cause.value, place: cause.origin?.place ?? null };
  for (const kind of verdict.transitions) {
    changes.countTransition(kind);
    if (kind === 'pending') opened = sample;
    else if (kind === 'cleared') opened = null;
    if (kind === 'fired' && state) fire(judging, pair, state, opened, cause);
    else if (CHANGES_OF_AN_ALERT.has(kind) && state) {
      changeAlert(judging, pair, state);
      step(judging, pair, { ...STEPS[kind as keyof typeof STEPS] }, cause);
    } else if (kind === 'resolved' && before) resolve(judging, pair, before, cause);
    if ((kind === 'escalated' || kind === 'eased') && pair.alertId !== null && pair.terms !== null) {
      mute(judging, pair, pair.alertId, pair.terms.severity);
      if (kind === 'escalated') tell(changes, 'escalated', pair, pair.alertId);
    }
    if (kind === 'refired' && state) countFlap(changes, pair, cause.at, state.severity);
  }
  pair.opened = opened;
}

/** Notes that the breach of an alert that began with an old sample goes on now, so that it is notified like any other. */
export function confirm(judging: Judging, pair: Pair, cause: Pick<Cause, 'at' | 'value' | 'origin'>): void {
  const { alertId, state } = pair;
  if (alertId === null || state === null) return;
  pair.unconfirmed = false;
  changeAlert(judging, pair, state);
  step(judging, pair, { from: state.state, to: state.state, reason: 'confirmed' }, cause);
  const { newAlerts, changedAlerts } = judging.changes;
  const [row, change] = [newAlerts.get(alertId), changedAlerts.get(alertId)];
  if (row) row.confirmed_at = judging.now;
  else if (change) change.confirmedAt = judging.now;
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
  const at = judging.now;
  const cause = { at, value: state.value, payload: null, origin: null, backfilled: () => false, resolution };
  resolve(judging, pair, state, cause);
}

function fire(
  judging: Judging,
  pair: Pair,
  state: PairState,
  opened: SampleReference | null,
  cause: Cause,
): void {
  const { changes } = judging;
  const row = alertRowOf(pair, state, judging.newAlertId(), cause, judging.now);
  pair.alertId = row.id;
  pair.terms = termsOf(pair.rule, state.severity);
  pair.shadow = row.shadow;
  pair.unconfirmed = row.backfilled;
  changes.newAlerts.set(row.id, row);
  mute(judging, pair, row.id, pair.terms.severity);
  changes.services.add(pair.service);
  if (opened) {
    const opening = { ...cause, ...opened, origin: null };
    step(judging, pair, { from: 'inactive', to: 'pending', reason: 'breach' }, opening);
  }
  const from = opened ? 'pending' : 'inactive';
  step(judging, pair, { from, to: 'firing', reason: state.noData ? 'no_data' : 'breach' }, cause);
  tell(changes, 'fired', pair, row.id);
}

/** Notes one step of the pair's alert. */
function step(
  judging: Judging,
  pair: Pair,
  { from, to, reason }: { from: AlertPhase; to: AlertPhase; reason: string },
  { at, value, origin, place }: Pick<Cause, 'at' | 'value' | 'origin'> & { place?: LogPlace | null },
): void {
  const { alertId, service } = pair;
  if (alertId === null) return;
  judging.changes.steps.push({
    ...{ organizationId: service.organizationId, alertId, from, to, reason },
    sample: { at, value, place: place ?? origin?.place ?? null },
    receivedAt: origin?.receivedAt ?? null,
    publishedAt: origin?.publishedAt ?? null,
    consumedAt: origin?.consumedAt ?? null,
    createdAt: judging.now,
  });
}

function settle(
  judging: Judging,
  pair: Pair,
  before: PairState | null,
  state: PairState,
  cause: Cause,
): void {
  const { terms, alertId } = pair;
  if (terms !== null && alertId !== null && !sameTerms(terms, termsOf(pair.rule, state.severity))) {
    changeAlert(judging, pair, state);
    if (state.severity !== terms.severity) changeSeverity(judging, pair, alertId, terms.severity, cause);
  }
  if (before !== null && before.missed !== state.missed) judging.changes.pairs.add(pair);
  const moved = before === null || before.value !== state.value || before.peakValue !== state.peakValue;
  if (pair.dirty || (!moved && state.judgedAt - pair.storedAt < MAX_LAG_MS)) return;
  pair.dirty = true;
  judging.dirtyPairs.add(pair);
}

/** An edit of its rule has made the alert more severe, or less: a rise is told as that of any other is. */
function changeSeverity(judging: Judging, pair: Pair, alertId: string, before: Severity, cause: Cause): void {
  const severity = pair.terms?.severity ?? before;
  const kind = SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(before) ? 'escalated' : 'eased';
  step(judging, pair, { ...STEPS[kind] }, cause);
  mute(judging, pair, alertId, severity);
  if (kind === 'escalated') tell(judging.changes, 'escalated', pair, alertId);
}

/** Stages the alert as the pair's state has it, with the rule's present terms. */
export function changeAlert(judging: Judging, pair: Pair, state: PairState): void {
  const before = pair.terms;
  if (before === null) return;
  const terms = termsOf(pair.rule, state.severity);
  const edited = !sameTerms(before, terms);
  if (edited) {
    if (before.severity !== terms.severity) judging.changes.services.add(pair.service);
    pair.terms = terms;
  }
  const { value, peakValue, flapCount } = state;
  const phase = state.state === 'recovering' ? 'recovering' : 'firing';
  stage(judging, pair, {
    ...{ state: phase, value, peakValue, flapCount },
    ...{ resolvedAt: null, resolution: null, terms: edited ? terms : null },
  });
}

function resolve(judging: Judging, pair: Pair, state: PairState, cause: Cause): void {
  const { alertId, rule, terms: before } = pair;
  if (alertId === null || before === null) return;
  const { changes } = judging;
  const { value, resolution = 'recovered' } = cause;
  const terms = termsOf(rule, state.severity);
  stage(judging, pair, {
    state: 'resolved',
    value,
    peakValue: worse(pair, value, state.peakValue),
    flapCount: state.flapCount,
    // An alert for want of data fires by the pipeline's clock, and the sample that ends it may be of a clock that is behind.
    resolvedAt: Math.max(cause.at, state.firedAt ?? cause.at),
    resolution,
    terms: resolution === 'recovered' && !sameTerms(before, terms) ? terms : null,
  });
  changes.services.add(pair.service);
  step(judging, pair, { from: state.state, to: 'resolved', reason: resolution }, cause);
  tell(changes, 'resolved', pair, alertId);
  if (resolution === 'recovered') countFlap(changes, pair, cause.at, state.severity);
  pair.alertId = null;
  pair.terms = null;
  pair.unconfirmed = false;
}

function worse({ rule }: Pair, value: number | null, than: number | null): number | null {
  if (value === null || than === null) return value ?? than;
  return rule.levels[0].isWorse(value, than) ? value : than;
}

/** What of an alert changes. Null `terms` leave those of the alert as they are. */
interface Stage {
  state: 'firing' | 'recovering' | 'resolved';
  value: number | null;
  peakValue: number | null;
  flapCount: number;
  resolvedAt: number | null;
  resolution: Resolution | null;
  terms: AlertTerms | null;
}

function stage(judging: Judging, { alertId: id, service }: Pair, changed: Stage): void {
  if (id === null) return;
  const { newAlerts, changedAlerts } = judging.changes;
  const row = newAlerts.get(id);
  if (!row) {
    const { organizationId } = service;
    const former = changedAlerts.get(id);
    const terms = changed.terms ?? former?.terms ?? null;
    const { mute = null, confirmedAt = null } = former ?? {};
    changedAlerts.set(id, {
      organizationId,
      id,
      ...changed,
      terms,
      mute,
      confirmedAt,
      updatedAt: judging.now,
    });
    return;
  }
  Object.assign(row, {
    status: changed.state === 'resolved' ? 'resolved' : 'active',
    state: changed.state,
    value: changed.value,
    peak_value: changed.peakValue,
    flap_count: changed.flapCount,
    resolved_at: changed.resolvedAt,
    resolution: changed.resolution,
    updated_at: judging.now,
  });
  if (!changed.terms) return;
  const { version, severity, condition, threshold, thresholdMax } = changed.terms;
  Object.assign(row, { rule_version: version, severity, condition, threshold, threshold_max: thresholdMax });
}
