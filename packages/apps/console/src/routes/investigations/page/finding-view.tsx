import { unitOf } from '@tidewatch/contracts/values/unit';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { formatCount, formatValue } from '../../../components/number/number-format.ts';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { PageLink } from '../../page-link.tsx';
import type { Finding } from '../investigation-reads.ts';
import { seriesOf } from '../text/evidence-source.ts';
import { citedBy, type EvidenceOf, evidenceIn } from '../text/measured-parts.ts';
import { CitedEvidence, EvidenceLink } from './evidence-link.tsx';
import { EvidenceSpark } from './evidence-spark.tsx';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';
import { MeasuredText } from './measured-text.tsx';

export interface FindingViewProps {
  finding: Finding;
  isCause: boolean;
  /** True for the finding that the URL names, which is scrolled to. */
  isCurrent: boolean;
  /** True for a finding that explains little, whose details are folded at first. */
  isFolded: boolean;
}

/** Suspected hosts that are named. */
const MAX_SUSPECTS = 10;

/** One finding with the numbers before and since, each of which leads to its evidence. */
export function FindingView({ finding, isCause, isCurrent, isFolded }: FindingViewProps) {
  const { evidence } = useInvestigation();
  const [isOpen, setOpen] = useState(!isFolded);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'center' });
  }, [isCurrent]);
  const { title } = finding;
  const evidenceOf = evidenceIn(citedBy(finding, evidence));
  const series = seriesOf(finding, evidence);
  return (
    <li
      ref={place}
      className={styles['finding']}
      data-cause={isCause || undefined}
      data-current={isCurrent || undefined}
    >
      <Probability finding={finding} />
      <div className={styles['findingText']}>
        <h3>
          {isCause && <span className={styles['flag']}>⚑ cause </span>}
          <MeasuredText text={title} evidenceOf={evidenceOf} />
        </h3>
        {isOpen ? (
          <Details finding={finding} evidenceOf={evidenceOf} />
        ) : (
          <div data-screen-only>
            <Button aria-expanded={false} onClick={() => setOpen(true)}>
              Details
            </Button>
          </div>
        )}
      </div>
      {series !== undefined && <EvidenceSpark piece={series} />}
    </li>
  );
}

/** How probable it is that the finding is the cause; for one that is only an effect, that it is one. */
function Probability({ finding: { score, possible_cause, evidence_ids } }: { finding: Finding }) {
  if (possible_cause === false)
    return (
      <span className={shared['muted']} title="Not a possible cause: it went with the trouble">
        <span className="visually-hidden">Not a possible cause</span>
        <span aria-hidden="true">–</span>
      </span>
    );
  return (
    <span className={shared['muted']} title="How probable it is that this is the cause">
      <span className="visually-hidden">Score </span>
      <EvidenceLink evidenceId={evidence_ids[0]} isNumber>
        {score.toFixed(2)}
      </EvidenceLink>
    </span>
  );
}

/** What the title leaves out: the description, the numbers, the hosts and the evidence. */
function Details({ finding, evidenceOf }: { finding: Finding; evidenceOf: EvidenceOf }) {
  const { investigation } = useInvestigation();
  const { description, started_at, service_id, host, hosts, evidence_ids } = finding;
  return (
    <>
      {description !== '' && (
        <p>
          <MeasuredText text={description} evidenceOf={evidenceOf} />
        </p>
      )}
      <Numbers finding={finding} />
      {hosts.length > 0 && (
        <p className={shared['muted']}>
          Hosts:{' '}
          {hosts.slice(0, MAX_SUSPECTS).map((suspect, index) => (
            <span key={suspect.service_id}>
              {index > 0 && ', '}
              <PageLink page="host" id={suspect.service_id}>
                <bdi>{visibleText(suspect.host)}</bdi>
              </PageLink>
            </span>
          ))}
          {hosts.length > MAX_SUSPECTS && ` and ${hosts.length - MAX_SUSPECTS} more`}
        </p>
      )}
      <p className={shared['muted']}>
        {started_at !== null && (
          <>
            Since <Time at={started_at} />
          </>
        )}
        {service_id !== investigation.service_id && (
          <>
            {started_at !== null && ' · '}on{' '}
            <PageLink page="host" id={service_id}>
              <bdi>{visibleText(host)}</bdi>
            </PageLink>
          </>
        )}
      </p>
      <CitedEvidence ids={evidence_ids} />
    </>
  );
}

/** The values before and since, as a table. */
function Numbers({ finding }: { finding: Finding }) {
  const { evidence } = useInvestigation();
  const { baseline, observed, metric } = finding;
  const rows = [
    { name: 'Before', summary: baseline },
    { name: 'Since', summary: observed },
  ].flatMap(({ name, summary }) => (summary === null ? [] : [{ name, ...summary }]));
  if (rows.length === 0) return null;
  const name = metric ?? '';
  // The summaries are of the first piece: further ones compare it with others.
  const [piece] = citedBy(finding, evidence);
  const number = (value: number, text: string) => (
    <td title={String(value)}>
      <EvidenceLink evidenceId={piece?.id} isNumber>
        {text}
      </EvidenceLink>
    </td>
  );
  const cell = (value: number) => number(value, formatValue(value, unitOf(name), name));
  return (
    <table className={styles['numbers']}>
      <thead>
        <tr>
          <td />
          <th scope="col">Median</th>
          <th scope="col">Min</th>
          <th scope="col">Max</th>
          <th scope="col">Values</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {cell(row.median)}
            {cell(row.min)}
            {cell(row.max)}
            {number(row.count, formatCount(row.count))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
