import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import type { AuditAction } from '@tidewatch/contracts/audit/audit';
import type { ReactNode } from 'react';
import { plainClient } from '../api/client.ts';
import { PageHeader } from '../components/page-header.tsx';
import { Time } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';

export interface MissingObjectProps {
  /** What it is, such as `host`. */
  noun: string;
  id: string;
  /** What the audit log calls its end. */
  deletion: Extract<AuditAction, `${string}.deleted`>;
  /** A link to the list of such objects. */
  list: ReactNode;
}

/** Whether an object is gone, or has never been there. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** The page of an object that is not there: who deleted it and when, if the audit log can be read and knows. */
export function MissingObject({ noun, id, deletion, list }: MissingObjectProps) {
  const { data } = useQuery({
    queryKey: ['deletion', deletion, id],
    staleTime: Number.POSITIVE_INFINITY,
    // A user who may not read the audit log now is not asked for a key; the page says "Not found".
    queryFn: ({ signal }) =>
      plainClient
        .get('/api/v1/audit', { params: { query: { action: deletion, object_id: id, limit: 1 } }, signal })
        .then(
          ({ audit }) => audit[0] ?? null,
          () => null,
        ),
  });
  return (
    <>
      <PageHeader title={data ? visibleText(data.object.name) : 'Not found'} />
      <p>
        {data ? (
          <>
            This {noun} was deleted by {visibleText(data.actor.name)} on <Time at={data.at} />.
          </>
        ) : (
          `There is no ${noun} at this address.`
        )}{' '}
        {list}
      </p>
    </>
  );
}
