import { formatCount } from '../../components/number/number-format.ts';
import { Status } from '../../components/status/status.tsx';
import { STEPS } from '../../fleet/filter.ts';
import { FLEET_STATUSES } from '../../fleet/fleet.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './hosts-page.module.css';
import { fillOf, toggled } from './hosts-state.ts';
import { FILL_WORDS, STEP_WORDS } from './hosts-texts.ts';

/** What the cells mean, with the number of hosts of each. A click shows those alone. */
export function HostsLegend({ counts }: { counts: ReadonlyMap<string, number> }) {
  const search = usePageSearch('hosts');
  const setSearch = useSetPageSearch('hosts');
  const fill = fillOf(search);
  if (fill === 'status')
    return (
      <fieldset className={styles['legend']} aria-label="Hosts by status">
        {FLEET_STATUSES.filter((status) => status !== 'unknown' || counts.has(status)).map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={search.status?.includes(status) ?? false}
            onClick={() => void setSearch({ status: toggled(search.status, status) })}
          >
            <Status status={status}>
              {formatCount(counts.get(status) ?? 0)} {status}
            </Status>
          </button>
        ))}
      </fieldset>
    );
  return (
    <fieldset className={styles['legend']} aria-label={`Hosts by ${FILL_WORDS[fill]}`}>
      {STEPS.map((step, place) => (
        <button
          key={step}
          type="button"
          aria-pressed={search.step?.includes(step) ?? false}
          onClick={() => void setSearch({ step: toggled(search.step, step) })}
        >
          <span className={styles['swatch']} data-step={step === 'none' ? 'none' : place + 1} />
          {STEP_WORDS[step]} <span className={styles['count']}>{formatCount(counts.get(step) ?? 0)}</span>
        </button>
      ))}
    </fieldset>
  );
}
