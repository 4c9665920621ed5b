import type { Schema } from '@tidewatch/api-client/schema';
import { visibleText } from '../../components/visible-text.ts';
import type { LaneEntry } from './lanes.ts';

type Investigated = Pick<Schema<'InvestigationItem'>, 'id' | 'service_id' | 'conclusion' | 'findings'>;

/** The flags of an investigation: its findings about its host, and its cause, which may be on another host. */
export function findingEntries({ id, service_id, conclusion, findings }: Investigated): LaneEntry[] {
  // The cause is the first finding of an investigation that names one.
  const cause = conclusion === 'root_cause_found' ? findings[0] : undefined;
  return findings.flatMap((finding): LaneEntry[] => {
    const isCause = finding === cause;
    if (finding.started_at === null || (finding.service_id !== service_id && !isCause)) return [];
    const at = Date.parse(finding.started_at);
    return [
      {
        id: finding.id,
        kind: 'findings',
        name: visibleText(`Finding: ${finding.title}${isCause ? ' (likely cause)' : ''}`),
        from: at,
        to: at,
        page: { name: 'investigation', id, search: { finding: finding.id } },
      },
    ];
  });
}
