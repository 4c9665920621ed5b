import type { Schema } from '@tidewatch/api-client/schema';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { formatDuration } from '../output/age.ts';
import { counted } from '../output/counted.ts';
import { elastic, numeric } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

/** Prints the preview of a rule as text. */
export async function showPreview(preview: Schema<'Preview'>, { terminal }: Session): Promise<void> {
  const { alerts, alerts_total: total, services_evaluated: evaluated, approximate } = preview;
  const resolution = approximate ? ', evaluated on minutes instead of samples' : '';
  await terminal.print(
    `${counted(total, 'alert')} of ${counted(evaluated, 'service')} from ${preview.from} to ${preview.to}${resolution}\n`,
  );
  if (alerts.length > 0) {
    await terminal.print('\n');
    await terminal.table(
      ['FIRED', 'LASTED', 'SEVERITY', elastic('HOST'), elastic('SUBJECT'), numeric('PEAK')],
      alerts.map(({ fired_at, resolved_at, severity, host, subject, peak_value }) => [
        fired_at,
        resolved_at === null
          ? 'still active'
          : formatDuration(Date.parse(resolved_at) - Date.parse(fired_at)),
        word(terminal, severity),
        host,
        subject.kind === 'host' ? '' : subjectWords(subject),
        String(peak_value),
      ]),
    );
    if (alerts.length < total) terminal.note(`${alerts.length} of ${total} are shown`);
  }
  if (preview.curve.length > 0) {
    await terminal.print('\n');
    await terminal.table(
      ['THRESHOLD', 'MINUTES', 'ALERTS', 'A WEEK'].map(numeric),
      preview.curve.map(({ threshold, duration_minutes, alerts: count, alerts_per_week }) => [
        String(threshold),
        String(duration_minutes),
        String(count),
        String(Math.round(alerts_per_week * 10) / 10),
      ]),
    );
  }
}
