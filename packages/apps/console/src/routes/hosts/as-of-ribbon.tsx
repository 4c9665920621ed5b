import { Button } from '../../components/button.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { Time } from '../../components/time/time.tsx';
import { useSetPageSearch } from '../page-state.ts';
import styles from './hosts-page.module.css';

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

/** The time of a parameter as RFC 3339; a relative one counts from now. */
export function absoluteTime(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const [, amount, unit] = /^-(\d+)([smhdw])$/.exec(time) ?? [];
  const at = unit === undefined ? Date.parse(time) : serverNow() - Number(amount) * (UNITS[unit] ?? 0);
  return new Date(at).toISOString();
}

/** Says that the page shows an earlier time. */
export function AsOfRibbon({ asOf }: { asOf: string | undefined }) {
  const setSearch = useSetPageSearch('hosts');
  if (asOf === undefined) return null;
  return (
    <p role="status" className={styles['ribbon']}>
      As of <Time at={asOf} />.{' '}
      <Button onClick={() => void setSearch({ as_of: undefined })}>Show the hosts of now</Button>
    </p>
  );
}
