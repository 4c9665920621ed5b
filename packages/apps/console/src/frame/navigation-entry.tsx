import { StatusShape } from '../components/status/status.tsx';
import { CircleQuestionMark } from '../icons/lucide.ts';
import { PageLink } from '../routes/page-link.tsx';
import styles from './navigation.module.css';
import type { NavigationEntry } from './navigation-entries.ts';

interface EntryProps {
  entry: NavigationEntry;
  isCurrent: boolean;
  onClick?: () => void;
  /** Critical alerts, which the entry counts; 0 and absent show nothing. */
  critical?: number;
}

/** A link to a page with its icon. */
export function Entry({ entry: { page, label, icon: Icon }, isCurrent, onClick, critical = 0 }: EntryProps) {
  const counted = `${critical} critical ${critical === 1 ? 'alert' : 'alerts'}`;
  return (
    <PageLink
      page={page as 'overview'}
      className={styles['entry'] ?? ''}
      aria-current={isCurrent ? 'page' : undefined}
      {...(onClick && { onClick })}
    >
      <Icon size={18} aria-hidden="true" />
      <span>{label}</span>
      {critical > 0 && (
        <b className={styles['count']} title={counted}>
          <StatusShape status="critical" size={10} /> <span aria-hidden="true">{critical}</span>
          <span className="visually-hidden">{counted}</span>
        </b>
      )}
    </PageLink>
  );
}

/** A link to the documentation of the API, which is not a page of the console. */
export function Help() {
  return (
    <a className={styles['entry']} href="/docs">
      <CircleQuestionMark size={18} aria-hidden="true" />
      <span>Help</span>
    </a>
  );
}
