import { Suspense, useState } from 'react';
import { Ellipsis, Search } from '../icons/lucide.ts';
import { PageLink } from '../routes/page-link.tsx';
import { lazyPart } from '../upgrade/load-part.ts';
import { useCriticalCount } from './critical-count.ts';
import styles from './navigation.module.css';
import { currentEntry, NAVIGATION } from './navigation-entries.ts';
import { Entry, Help } from './navigation-entry.tsx';
import { openOverlay } from './overlay.ts';
import { useFavicon } from './use-favicon.ts';

/** The dialog is loaded when it is opened, since most visits do not need it. */
const MorePages = lazyPart(() => import('./more-pages.tsx'), 'MorePages');

/** Links to the pages: at the left, as icons below 1,100 px, and as a bar at the bottom below 700 px. */
export function Navigation({ path }: { path: string }) {
  const [isMoreOpen, setMoreOpen] = useState(false);
  const isCurrent = currentEntry(path);
  const critical = useCriticalCount();
  useFavicon();
  return (
    <nav className="frame-navigation" aria-label="Pages">
      <PageLink page="overview" className="frame-brand" aria-label="Tidewatch">
        Tidewatch
      </PageLink>
      <ul className={styles['entries']}>
        {NAVIGATION.map((entry) => (
          <li key={entry.page} data-second={entry.isSecond} data-phone={entry.isOnPhones}>
            <Entry
              entry={entry}
              isCurrent={isCurrent(entry)}
              {...(entry.page === 'alerts' && { critical })}
            />
          </li>
        ))}
        <li className={styles['help']}>
          <Help />
        </li>
        <li className={styles['more']}>
          <button
            type="button"
            className={styles['entry']}
            aria-haspopup="dialog"
            onClick={() => openOverlay({ kind: 'palette' })}
          >
            <Search size={18} aria-hidden="true" />
            <span>Search</span>
          </button>
        </li>
        <li className={styles['more']}>
          <button
            type="button"
            className={styles['entry']}
            aria-haspopup="dialog"
            onClick={() => setMoreOpen(true)}
          >
            <Ellipsis size={18} aria-hidden="true" />
            <span>More</span>
          </button>
        </li>
      </ul>
      {isMoreOpen && (
        <Suspense>
          <MorePages path={path} onClose={() => setMoreOpen(false)} />
        </Suspense>
      )}
    </nav>
  );
}
