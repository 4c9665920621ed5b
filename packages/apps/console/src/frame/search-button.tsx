import { Search } from '../icons/lucide.ts';
import { openOverlay } from './overlay.ts';
import styles from './top-bar.module.css';

/** Opens the palette; it looks like the field that it leads to. */
export function SearchButton() {
  return (
    <button
      type="button"
      className={styles['search']}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openOverlay({ kind: 'palette' })}
    >
      <Search size={16} aria-hidden="true" />
      <span className={styles['words']}>Search hosts, rules, commands</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
