import { useQuery } from '@tanstack/react-query';
import { Copy } from '../../components/copy.tsx';
import { PageLink } from '../page-link.tsx';
import styles from './system-page.module.css';
import { curveRead } from './system-reads.ts';

/** Whether an agent reports on Tidewatch to this organization, and how to start one where none does. */
export function Monitoring({ topology }: { topology: string }) {
  const { data } = useQuery(curveRead('tidewatch_lag_seconds'));
  if (data === undefined) return null;
  if (data.points.length > 0)
    return (
      <p>
        An agent reports on Tidewatch to this organization, as metrics of{' '}
        <PageLink page="query" search={{ metric: 'tidewatch_lag_seconds', top: 5 }}>
          the host that it runs on
        </PageLink>
        .
      </p>
    );
  const isOne = topology !== 'distributed';
  const watched = isOne
    ? location.origin
    : 'http://writer-1:9100,http://evaluator-1:9100,http://notifier-1:9100';
  return (
    <div className={styles['stack']}>
      <p>
        No agent reports on Tidewatch to this organization: there are no curves, and the rules on Tidewatch
        have nothing to evaluate. Start one with an <PageLink page="addHost">ingest key</PageLink>
        {isOne
          ? ' on this machine; npm start does so by itself unless TIDEWATCH_LOCAL_AGENT is off.'
          : ', and name the admin address of every process.'}
      </p>
      <Copy text={`TIDEWATCH_API_KEY=tw_… npm run agent -- --url ${location.origin} --watch ${watched}`} />
    </div>
  );
}
