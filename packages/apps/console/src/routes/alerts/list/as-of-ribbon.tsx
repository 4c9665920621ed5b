import { Time } from '../../../components/time/time.tsx';
import { PageLink } from '../../page-link.tsx';
import { usePageSearch } from '../../page-state.ts';
import styles from './alerts-page.module.css';

/** Says that the list is one of the past, and why its alerts cannot be selected or acknowledged. */
export function AsOfRibbon({ asOf }: { asOf: string }) {
  const search = usePageSearch('alerts');
  return (
    <p role="status" className={styles['ribbon']}>
      As of <Time at={asOf} />. Nothing can be changed in the past.{' '}
      <PageLink page="alerts" search={{ ...search, as_of: undefined }}>
        Show now
      </PageLink>
    </p>
  );
}
