import { useQuery } from '@tanstack/react-query';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { formatCount } from '../../../../components/number/number-format.ts';
import { Problem } from '../../../../components/problem.tsx';
import { Skeleton } from '../../../../components/skeleton.tsx';
import { formatTime } from '../../../../components/time/time-format.ts';
import { useSettled } from '../../../../form/use-settled.ts';
import { usePreferences } from '../../../../preferences/preferences.ts';
import styles from '../editor.module.css';
import { AlertBars } from './alert-bars.tsx';
import { HistoryPlot } from './history-plot.tsx';
import { previewText, provenanceText } from './preview-text.ts';
import { DAYS, readHistory } from './read-history.ts';
import { ThresholdCurve } from './threshold-curve.tsx';
import { usePreview } from './use-preview.ts';
import { useTrial } from './use-trial.ts';

const NO_HOSTS = [] as const;

/** What the rule would have done in the last 7 days: at once for the hosts shown, exactly once nobody types. */
export function RulePreview({ rule }: { rule: RuleDefinition | null }) {
  const { zone } = usePreferences();
  const settled = useSettled(rule);
  const past = useQuery({
    queryKey: ['metric-history', settled?.metric, settled?.scope],
    enabled: settled !== null,
    staleTime: 60_000,
    queryFn: ({ signal }) => readHistory(settled?.metric ?? '', settled?.scope ?? {}, signal),
  });
  const { data: history, error: historyError } = past;
  const tried = useTrial(rule, history?.hosts ?? NO_HOSTS);
  const { data, error, isWaiting, isOutdated, isFetching, refetch } = usePreview(rule, history);
  return (
    <section className={styles['preview']} aria-labelledby="preview">
      <h2 id="preview">What it would have done in the last 7 days</h2>
      {rule === null && <p className={styles['help']}>Complete the rule to see it.</p>}
      <div role="status">
        {data && (
          <p className={styles['figure']} data-outdated={isOutdated || undefined}>
            {previewText(data.preview)}
            {isOutdated && <span className={styles['help']}> for {data.condition}</span>}
          </p>
        )}
        {isWaiting ? (
          <p className={styles['help']}>Another preview of this organization is running. Waiting …</p>
        ) : (
          isFetching && <p className={styles['help']}>Evaluating …</p>
        )}
      </div>
      {(error ?? historyError) && (
        <Problem
          error={error ?? historyError}
          retry={() => void (historyError ? past.refetch() : refetch())}
        />
      )}
      {history === undefined ? (
        rule !== null && !historyError && <Skeleton height={160} />
      ) : (
        <>
          {history.hosts.length > 0 && <HistoryPlot history={history} rule={rule} />}
          <AlertBars history={history} tried={tried} preview={data?.preview} />
          {history.range === null && rule !== null && (
            <p className={styles['help']}>No host has reported this metric in the last 7 days.</p>
          )}
          {history.services > 0 && (
            <p className={styles['help']}>
              {history.services === 1
                ? '1 host matches and reports the metric'
                : `${formatCount(history.services)} hosts match and report the metric`}
              {history.to - history.from < DAYS * DAY_MS && `, since ${formatTime(history.from, zone)}`}.
            </p>
          )}
        </>
      )}
      {data && (
        <>
          <ThresholdCurve curve={data.preview.curve} />
          {data.preview.warnings.map(({ code, message }) => (
            <p key={`${code} ${message}`} className={styles['warning']}>
              {message}
            </p>
          ))}
          <p className={styles['help']}>
            {provenanceText(data.preview, data.durationMs)}
            {data.preview.approximate && ' · approximate: minutes stand for their samples'}
          </p>
        </>
      )}
    </section>
  );
}
