import { useRouterState } from '@tanstack/react-router';
import { pageAt } from '@tidewatch/contracts/console/paths';
import { Button } from '../components/button.tsx';
import { forgetDropped, useDroppedParameters } from '../routes/dropped-parameters.ts';
import styles from './dropped-notice.module.css';

/** Says which parameters of the URL the page ignores. */
export function DroppedNotice() {
  const dropped = useDroppedParameters();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (dropped === null || pageAt(path)?.name !== dropped.page) return null;
  return (
    <div role="status" className={styles['notice']}>
      <span>
        {dropped.names.length === 1 ? 'A parameter of this address is' : 'Parameters of this address are'}{' '}
        invalid and ignored: <code>{dropped.names.join(', ')}</code>.
      </span>
      <Button onClick={forgetDropped}>Close</Button>
    </div>
  );
}
