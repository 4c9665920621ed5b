import type { CaseResult } from '../run-case.ts';

/** The result of a case in a few lines, for the output of a run. */
export function resultLine(result: CaseResult): string {
  const { id, fault, fired, sent, acknowledged, found, missing, doubled, wrong } = result;
  const { seconds, notes, faults } = result;
  const alerts = result.verdict?.alerts;
  const times = Object.entries(fired).map(([point, count]) => `${point} ${count}×`);
  const refused = Object.entries(result.refusals).map(([status, count]) => `${count} × ${status}`);
  const lines = [
    `${faults.length === 0 ? 'held  ' : 'FAILED'} ${id} ${fault} (${seconds.toFixed(0)} s)`,
    `  fired: ${times.join(', ') || '-'}; refusals: ${refused.join(', ') || '-'}`,
    `  samples sent ${sent}, acknowledged ${acknowledged}, found ${found}, missing ${missing}, doubled ${doubled}, wrong ${wrong}`,
    `  alerts ${alerts?.expected ?? '-'}, missing ${alerts?.missing.length ?? '-'}, unexpected ${alerts?.unexpected.length ?? '-'}`,
    ...notes.map((note) => `  ${note}`),
    ...faults.map((each) => `  ! ${each}`),
  ];
  return lines.join('\n');
}
