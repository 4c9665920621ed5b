import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { formatCount, formatValue, NO_VALUE } from '../../../components/number/number-format.ts';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status/status.tsx';
import { PageLink } from '../../page-link.tsx';
import { Bar } from '../bar.tsx';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { type LimitRow, limitRows, shareOf, shareText, statusOf } from './limit-rows.ts';

/** The server counts no more often, ms. */
const POLL_MS = 10_000;

/** What the organization may use, and what it uses now. */
export function LimitsPage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => api.get('/api/v1/limits', { signal }),
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <SettingsHeader section="limits" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={9} height={36} />
      ) : (
        <table className={styles['table']} aria-label="Limits">
          <thead>
            <tr>
              <th scope="col">What is limited</th>
              <th scope="col" className={styles['amount']}>
                Used
              </th>
              <th scope="col" className={styles['amount']}>
                Limit
              </th>
              <th scope="col" className={styles['share']}>
                <span className={styles['scale']}>
                  Share used <span className={styles['wideOnly']}>0 %</span>
                  <span className={styles['wideOnly']}>100 %</span>
                </span>
              </th>
              <th scope="col" className={styles['wide']}>
                Setting
              </th>
            </tr>
          </thead>
          <tbody>
            {limitRows(data).map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ row }: { row: LimitRow }) {
  const { name, unit, used, limit, setting, page } = row;
  const share = shareOf(row);
  const status = share === null ? null : statusOf(share);
  const amount = (value: number | null) =>
    value === null ? '–' : unit === 'bytes' ? formatValue(value, 'bytes') : formatCount(value);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles['amount']}>
        {page === undefined || used === null ? (
          amount(used)
        ) : (
          <PageLink page={page as 'rules'} className={styles['number'] ?? ''}>
            {amount(used)}
          </PageLink>
        )}
      </td>
      <td className={styles['amount']}>{limit === null ? 'none' : amount(limit)}</td>
      <td className={styles['share']}>
        {share === null ? (
          NO_VALUE
        ) : (
          <div className={styles['scale']}>
            <span>{shareText(share)}</span>
            <Bar share={share} />
          </div>
        )}
        {status !== null && (
          <Status status={status}>{status === 'critical' ? 'reached' : 'nearly reached'}</Status>
        )}
      </td>
      <td className={styles['wide']}>
        <code>{setting}</code>
      </td>
    </tr>
  );
}
