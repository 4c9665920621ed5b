import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { PageLink } from '../../page-link.tsx';
import { unaffectedHosts } from '../main-findings.ts';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** Hosts that are named at first. */
const MAX_NAMED = 20;

/** The hosts that were compared and did not move, by name. */
export function Unaffected() {
  const { investigation } = useInvestigation();
  const [isWhole, setWhole] = useState(false);
  const hosts = unaffectedHosts(investigation.findings);
  if (hosts.length === 0) return null;
  const shown = isWhole ? hosts : hosts.slice(0, MAX_NAMED);
  return (
    <section className={shared['section']} aria-labelledby="unaffected">
      <h2 id="unaffected">Not affected</h2>
      <ul className={styles['names']} aria-labelledby="unaffected">
        {shown.map(({ service_id, host }) => (
          <li key={service_id}>
            <PageLink page="host" id={service_id}>
              <bdi>{visibleText(host)}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
      {shown.length < hosts.length && (
        <div data-screen-only>
          <Button onClick={() => setWhole(true)}>{formatCount(hosts.length - shown.length)} more</Button>
        </div>
      )}
    </section>
  );
}
