import type { Schema } from '@tidewatch/api-client/schema';
import { Time } from '../../../components/time/time.tsx';
import shared from '../../alerts/alert/alert-page.module.css';
import { citedBy, evidenceIn } from '../text/measured-parts.ts';
import { useInvestigation } from './investigation-context.ts';
import { MeasuredText } from './measured-text.tsx';

const ACTORS: Readonly<Record<Schema<'TimelineEntry'>['actor'], string>> = {
  system: '',
  detector: '',
  user: ' (by a person)',
  llm: ' (asked for by the model)',
};

/** What happened, in order of time. */
export function InvestigationTimeline() {
  const { investigation, evidence } = useInvestigation();
  const { timeline } = investigation;
  if (timeline.length === 0) return null;
  return (
    <section className={shared['section']} aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol className={shared['timeline']} aria-label="Timeline">
        {timeline.map(({ at, type, title, actor, evidence_ids }) => (
          <li key={`${at} ${type} ${title}`}>
            <Time at={at} />{' '}
            <span>
              <MeasuredText text={title} evidenceOf={evidenceIn(citedBy({ evidence_ids }, evidence))} />
              {ACTORS[actor]}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
