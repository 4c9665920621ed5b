import { MetricChart } from '../../chart/metric-chart.tsx';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Button } from '../../components/button.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import { type Host, intervalOf } from './host-reads.ts';

interface SubjectChartsProps {
  host: Host;
  /** The subject as the API names it, such as `container:api`. */
  subject: string;
  title: string;
  metrics: readonly string[];
}

/** The charts of a container or part that was chosen, below the list of them. */
export function SubjectCharts({ host, subject, title, metrics }: SubjectChartsProps) {
  const setSearch = useSetPageSearch('host');
  return (
    <section className={styles['container']} aria-label={`Charts of ${visibleText(title)}`}>
      <h2 className={styles['group']}>{visibleText(title)}</h2>
      <RangeBar onRange={({ from, to }) => void setSearch({ from, to })} />
      <Button onClick={() => void setSearch({ subject: undefined })}>Close charts</Button>
      <div className={styles['charts']}>
        {metrics.map((metric) => (
          <MetricChart
            key={metric}
            serviceId={host.id}
            host={host.name}
            metric={metric}
            subject={subject}
            intervalMs={intervalOf(host)}
          />
        ))}
      </div>
    </section>
  );
}
