import type { Preview } from '@tidewatch/contracts/rules/preview';
import { visibleText } from '../../../../components/visible-text.ts';
import styles from '../editor.module.css';
import type { MetricHistory } from './read-history.ts';
import type { TriedHost } from './try-rule.ts';

const MAX_HOSTS = 8;

interface Bar {
  from: number;
  to: number;
  severity: string;
}

/** A lane of bars for each host: those on the plot at once, by the trial in this browser; all others once the preview is there. */
export function AlertBars(props: {
  history: MetricHistory;
  tried: readonly TriedHost[];
  preview: Preview | undefined;
}) {
  const { history, tried, preview } = props;
  const lanes = new Map<string, Bar[]>();
  for (const { host, alerts } of tried)
    if (alerts.length > 0)
      lanes.set(
        host,
        alerts.map(({ firedAt, resolvedAt, severity }) => ({
          from: firedAt,
          to: resolvedAt ?? history.to,
          severity,
        })),
      );
  const shown = new Set(tried.map(({ host }) => host));
  for (const { host, fired_at, resolved_at, severity } of preview?.alerts ?? []) {
    if (shown.has(host)) continue;
    const bar = {
      from: Date.parse(fired_at),
      to: resolved_at === null ? history.to : Date.parse(resolved_at),
      severity,
    };
    lanes.set(host, [...(lanes.get(host) ?? []), bar]);
  }
  const all = [...lanes];
  const percent = (time: number) =>
    Math.min(Math.max(((time - history.from) / (history.to - history.from)) * 100, 0), 100);
  if (all.length === 0) return null;
  return (
    <div className={styles['lanes']}>
      {all.slice(0, MAX_HOSTS).map(([host, bars]) => (
        <div key={host} className={styles['lane']}>
          <span title={visibleText(host)}>{visibleText(host)}</span>
          <span className={styles['bars']}>
            {bars.map((bar) => (
              <i
                key={`${bar.from} ${bar.severity}`}
                data-severity={bar.severity}
                style={{
                  left: `${percent(bar.from)}%`,
                  width: `${Math.max(percent(bar.to) - percent(bar.from), 0.4)}%`,
                }}
              />
            ))}
          </span>
          <span className={styles['laneCount']}>{bars.length}</span>
        </div>
      ))}
      {all.length > MAX_HOSTS && <p className={styles['help']}>{all.length - MAX_HOSTS} more hosts</p>}
    </div>
  );
}
