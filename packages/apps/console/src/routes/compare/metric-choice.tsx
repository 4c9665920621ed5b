import { visibleText } from '../../components/visible-text.ts';
import styles from './compare-page.module.css';

interface MetricChoiceProps {
  /** The metrics that can be compared. */
  shared: readonly string[];
  /** Those that are shown; undefined for all. */
  chosen: readonly string[] | undefined;
  onChange: (chosen: string[] | undefined) => void;
}

/** Which of the metrics that the hosts share have a chart. The choice is in the URL. */
export function MetricChoice({ shared, chosen, onChange }: MetricChoiceProps) {
  const shown = chosen === undefined ? shared : shared.filter((metric) => chosen.includes(metric));
  const toggle = (metric: string, isOn: boolean) => {
    // The first choice among all of them is that metric alone.
    const next =
      chosen === undefined ? [metric] : isOn ? [...shown, metric] : shown.filter((each) => each !== metric);
    onChange(next.length === 0 || next.length === shared.length ? undefined : next);
  };
  return (
    <details className={styles['choice']}>
      <summary>
        {chosen === undefined
          ? `All ${shared.length} metrics`
          : `${shown.length} of ${shared.length} metrics`}
      </summary>
      <fieldset aria-label="Metrics">
        {shared.map((metric) => (
          <label key={metric}>
            <input
              type="checkbox"
              checked={chosen !== undefined && shown.includes(metric)}
              onChange={({ target }) => toggle(metric, target.checked)}
            />
            {visibleText(metric)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
