import styles from './hosts-page.module.css';
import { type SparkPoint, sparkPath } from './spark-path.ts';

/** The last hour of a metric from 0 to 100 %. The number beside it says the newest value. */
export function Sparkline({ series }: { series: readonly SparkPoint[] | undefined }) {
  return (
    <svg className={styles['sparkline']} viewBox="0 0 60 20" preserveAspectRatio="none" aria-hidden="true">
      {series && <path d={sparkPath(series)} />}
    </svg>
  );
}
