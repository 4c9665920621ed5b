import { Dialog } from '../components/dialog/dialog.tsx';
import styles from './navigation.module.css';
import { currentEntry, NAVIGATION } from './navigation-entries.ts';
import { Entry, Help } from './navigation-entry.tsx';

/** All pages, for phones, whose bar has room for few. */
export function MorePages({ path, onClose }: { path: string; onClose: () => void }) {
  const isCurrent = currentEntry(path);
  return (
    <Dialog title="Pages" isOpen onClose={onClose}>
      <ul className={styles['all']}>
        {NAVIGATION.map((entry) => (
          <li key={entry.page}>
            <Entry entry={entry} isCurrent={isCurrent(entry)} onClick={onClose} />
          </li>
        ))}
        <li>
          <Help />
        </li>
      </ul>
    </Dialog>
  );
}
