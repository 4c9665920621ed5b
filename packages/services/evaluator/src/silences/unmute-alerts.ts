import { ActiveSilences } from '@tidewatch/domain/silence/active-silences';
import { mutedAfter } from '@tidewatch/domain/silence/after-end';
import { alertEvent, type ToldAt } from '@tidewatch/store/alerts/alert-event';
import { subjectOf } from '@tidewatch/store/alerts/write-row';
import type { Transaction } from '@tidewatch/store/connection';
import { appendEvents } from '@tidewatch/store/outbox/append';
import {
  type EndedMute,
  lockEndedMutes,
  readSilencesSince,
  type SilenceKey,
  writeMutes,
} from '@tidewatch/store/silences/ends';
import { compileSilence, type SilenceRow } from '@tidewatch/store/silences/row';

export interface UnmuteOptions extends ToldAt {
  newEventId(): string;
  /** Alerts at most. */
  limit: number;
}

/** Hands alerts that a silence mutes no longer to another that does, or tells that nothing does; answers how many. */
export async function unmuteAlerts(
  tx: Transaction,
  silence: SilenceKey,
  { now, publicUrl, newEventId, limit }: UnmuteOptions,
): Promise<{ unmuted: number; moved: number }> {
  const alerts = new Map((await lockEndedMutes(tx, silence, now, limit)).map((alert) => [alert.id, alert]));
  if (alerts.size === 0) return { unmuted: 0, moved: 0 };
  const first = Math.min(...[...alerts.values()].map((alert) => alert.ended_at));
  const silencesAt = silencesAsOf(await readSilencesSince(tx, silence.org, first));
  const mutes = [...alerts.values()].map((alert) => {
    const muting = mutedAfter(unmuted(alert), alert.ended_at, now, silencesAt);
    const { org_id: organizationId, id } = alert;
    return { organizationId, id, silencedBy: muting?.id ?? null, silencedUntil: muting?.until ?? null };
  });
  const unmutedRows = (await writeMutes(tx, mutes, now)).filter((row) => row.silenced_by === null);
  // Of what is only tried out nobody hears.
  const told = unmutedRows.filter((row) => !row.shadow);
  const entries = told.map((row) => {
    const { present_rule_name: name, runbook_url: runbookUrl } = alerts.get(row.id) as EndedMute;
    const rule = { name: name ?? row.rule_name, runbookUrl };
    return {
      organizationId: row.org_id,
      event: alertEvent(newEventId(), 'alert.silence_ended', row, rule, { now, publicUrl }),
    };
  });
  await appendEvents(tx, entries);
  return { unmuted: unmutedRows.length, moved: mutes.length - unmutedRows.length };
}

function unmuted(alert: EndedMute) {
  const { org_id: organizationId, host, tags, rule_id: ruleId, severity } = alert;
  return { organizationId, host, tags, ruleId, severity, subject: subjectOf(alert) };
}

/** The silences as they were at some moment, made once for each: many alerts come to their end together. */
function silencesAsOf(rows: readonly SilenceRow[]): (at: number) => ActiveSilences {
  const silences = rows.map((row) => ({ silence: compileSilence(row), createdAt: row.created_at }));
  const known = new Map<number, ActiveSilences>();
  return (at) => {
    let active = known.get(at);
    if (active === undefined) {
      const there = silences.filter(({ createdAt }) => createdAt <= at).map(({ silence }) => silence);
      active = new ActiveSilences(there, at);
      known.set(at, active);
    }
    return active;
  };
}
