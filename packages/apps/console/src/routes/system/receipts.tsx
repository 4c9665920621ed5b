import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { type FormEvent, useId } from 'react';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { Time } from '../../components/time/time.tsx';
import { isMissing } from '../missing-object.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { ReadProblem } from '../settings/read-problem.tsx';
import styles from './system-page.module.css';
import { receiptRead } from './system-reads.ts';

type Receipt = Schema<'TracedIngestReceipt'>;

/** What became of the payloads of one request, by the id of its receipt. */
export function Receipts() {
  const id = useId();
  const { receipt } = usePageSearch('system');
  const setSearch = useSetPageSearch('system');
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('receipt') ?? '').trim();
    void setSearch({ receipt: text === '' ? undefined : text });
  };
  return (
    <>
      <form className={styles['form']} onSubmit={look}>
        <label htmlFor={id}>Receipt</label>
        <input
          id={id}
          name="receipt"
          key={receipt}
          defaultValue={receipt}
          placeholder="rcp_…"
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">Look up</Button>
      </form>
      <p className={styles['muted']}>
        A request of ingest with “Prefer: return=representation” is answered with the id of its receipt, which
        is kept for 48 hours.
      </p>
      {receipt !== undefined && <Outcome id={receipt} />}
    </>
  );
}

function Outcome({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(receiptRead(id));
  if (error !== null && isMissing(error))
    return (
      <p role="status">No receipt has this id: it may be older than 48 hours, or of another organization.</p>
    );
  if (error !== null)
    return <ReadProblem error={error} isShown={data !== undefined} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={2} />;
  return (
    <div role="status" className={styles['stack']}>
      <p>
        Accepted <Time at={data.accepted_at} />
      </p>
      <ul className={styles['list']} aria-label="Records">
        {data.records.map((record) => (
          <li key={placeOf(record)}>
            <code>{placeOf(record)}</code>
            <RecordOutcome record={record} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type TracedRecord = Receipt['records'][number];

const placeOf = ({ transaction, topic, partition, offset }: TracedRecord) =>
  transaction === undefined ? `${topic} ${partition}:${offset}` : `transaction ${transaction}`;

function RecordOutcome({ record: { stored_at, evaluated_at, dead_lettered } }: { record: TracedRecord }) {
  if (dead_lettered !== null)
    return (
      <span>
        <Status status="critical">dead letter</Status> {dead_lettered.reason.replaceAll('_', ' ')},{' '}
        <Time at={dead_lettered.at} />
      </span>
    );
  return (
    <span>
      {stored_at === null ? (
        'not stored yet'
      ) : (
        <>
          stored <Time at={stored_at} />
        </>
      )}
      {', '}
      {evaluated_at === null ? (
        'not evaluated yet'
      ) : (
        <>
          evaluated <Time at={evaluated_at} />
        </>
      )}
    </span>
  );
}
