import { formatCount } from '../../components/number/number-format.ts';
import { useSession } from '../../session/session-state.ts';
import styles from './system-page.module.css';

const KINDS = [
  ['raw_days', 'Samples'],
  ['1m_days', '1-minute rollups'],
  ['1h_days', '1-hour rollups'],
  ['1d_days', '1-day rollups'],
] as const;

/** How long values are kept. */
export function Retention() {
  const session = useSession();
  if (session.kind !== 'signed-in') return null;
  const { retention } = session.identity.server;
  return (
    <dl className={styles['facts']}>
      {KINDS.map(([name, words]) => (
        <div key={name}>
          <dt>{words}</dt>
          <dd>
            {formatCount(retention[name])} {retention[name] === 1 ? 'day' : 'days'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
