import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { detailsOf, READINESS, type Readiness, readReadiness } from './readiness.ts';
import styles from './system-page.module.css';

const POLL_MS = 10_000;

/** Whether Tidewatch itself can do its work, and what answers here. */
export function SystemPage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['readiness'],
    queryFn: readReadiness,
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <PageHeader title="System" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton lines={4} /> : <Details readiness={data} />}
    </>
  );
}

function Details({ readiness }: { readiness: Readiness }) {
  const { status, word, meaning } = READINESS[readiness.status];
  return (
    <div className={styles['system']}>
      <p className={styles['state']}>
        <Status status={status}>{word}</Status> <span>{meaning}</span>
      </p>
      <section aria-labelledby="reasons">
        <h2 id="reasons">What is missing</h2>
        {readiness.reasons.length === 0 ? (
          <Empty>Nothing is missing.</Empty>
        ) : (
          <ul>
            {readiness.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="details">
        <h2 id="details">What answers here</h2>
        <dl className={styles['details']}>
          {detailsOf(readiness).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
