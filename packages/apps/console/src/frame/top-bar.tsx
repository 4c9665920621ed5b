import { FreshnessStatus } from '../live/freshness-view.tsx';
import { SessionButton } from '../session/session-button.tsx';
import { SearchButton } from './search-button.tsx';
import styles from './top-bar.module.css';
import { ZoneButton } from './zone-button.tsx';

/** The bar above every page, with the controls that concern all pages. */
export function TopBar() {
  return (
    <header className="frame-top">
      <div className={styles['start']} data-person>
        <SearchButton />
      </div>
      <ZoneButton />
      <FreshnessStatus />
      <div className={styles['person']} data-person>
        <SessionButton />
      </div>
    </header>
  );
}
