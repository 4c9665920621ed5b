import { Button } from '../components/button.tsx';
import styles from '../frame/dropped-notice.module.css';
import { useOutdated } from './upgrade-state.ts';

/** Offers to load the page again after an upgrade of the server. */
export function UpgradeNotice() {
  if (!useOutdated()) return null;
  return (
    <div role="status" className={styles['notice']}>
      <span>A newer version of Tidewatch is running.</span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
