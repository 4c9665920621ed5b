import { formatDuration, formatValue } from '../../../components/number/number-format.ts';
import { Problem } from '../../../components/problem.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time/time.tsx';
import { latencySteps } from '../latency-steps.ts';
import styles from './alert-page.module.css';
import type { SectionProps } from './section-props.ts';

/** The samples that opened, fired and closed the alert, and how long each step from host to channel took. */
export function Evaluation({ alert, unit, evidence, evidenceError }: SectionProps) {
  return (
    <section className={styles['section']} data-section="evaluation" aria-labelledby="evaluation">
      <h2 id="evaluation">Evaluation</h2>
      {evidenceError && <Problem error={evidenceError} />}
      {evidence === undefined && !evidenceError && <Skeleton lines={3} />}
      {evidence !== undefined && (
        <>
          <Latency latency={evidence.latency} />
          <ul className={styles['plain']}>
            {evidence.samples.map(({ role, time, value, topic, partition, offset }) => (
              <li key={`${role} ${time}`}>
                {role} by the sample of <Time at={time} />: {formatValue(value, unit, alert.metric)}
                {topic !== null && (
                  <span className={styles['muted']}>
                    {' '}
                    ({topic}, partition {partition}, offset {offset})
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Latency({ latency }: { latency: NonNullable<SectionProps['evidence']>['latency'] }) {
  const steps = latencySteps(latency);
  if (steps.length === 0) return null;
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <figure className={styles['latency']}>
      <figcaption>From sample to notification: {formatDuration(total)}</figcaption>
      <div className={styles['bar']} aria-hidden="true">
        {steps.map(({ name, ms }) => (
          <span
            key={name}
            style={{ flexGrow: Math.max(ms, total / 100) }}
            title={`${name} ${formatDuration(ms)}`}
          />
        ))}
      </div>
      <ul className={styles['steps']}>
        {steps.map(({ name, ms }) => (
          <li key={name}>
            {name} {formatDuration(ms)}
          </li>
        ))}
      </ul>
    </figure>
  );
}
