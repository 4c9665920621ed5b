import { useQuery } from '@tanstack/react-query';
import type { Grade } from '@tidewatch/contracts/system/system-grades';
import {
  gradeLag,
  gradeSystem,
  SYSTEM_FIGURES,
  type SystemFigure,
} from '@tidewatch/contracts/system/system-grades';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { formatDuration, formatValue } from '../../components/number/number-format.ts';
import { Status } from '../../components/status/status.tsx';
import { PageLink } from '../page-link.tsx';
import { Curve } from './curve.tsx';
import styles from './system-page.module.css';
import { CURVE_MS, curveRead, type System } from './system-reads.ts';
import { type FigureText, figureTexts, GRADES, lagText } from './system-words.ts';

interface FigureKind {
  name: string;
  /** The metric of the agent that watches Tidewatch, and its unit. */
  metric?: { name: string; unit: 'seconds' | null; words: string };
}

const KINDS: Readonly<Record<SystemFigure, FigureKind>> = {
  lag: {
    name: 'Evaluation lag',
    metric: { name: 'tidewatch_lag_seconds', unit: 'seconds', words: 'lag' },
  },
  dead_letters: {
    name: 'Dead letters',
    metric: { name: 'tidewatch_dead_letters_per_minute', unit: null, words: 'dead letters a minute' },
  },
  notifications: {
    name: 'Oldest pending notification',
    metric: {
      name: 'tidewatch_notifications_oldest_seconds',
      unit: 'seconds',
      words: 'age of the oldest notification',
    },
  },
  storage: { name: 'Storage' },
  event_streams: { name: 'Event streams' },
  jobs: {
    name: 'Failing jobs',
    metric: { name: 'tidewatch_job_failures_per_minute', unit: null, words: 'failed rounds a minute' },
  },
};

/** The figures of the whole installation, each with its value, a remark, and its course where there is one. */
export function Figures({ system }: { system: System }) {
  const texts = figureTexts(system);
  const grades = gradeSystem(system);
  return (
    <ul className={styles['figures']} aria-label="Figures">
      {SYSTEM_FIGURES.map((figure) => (
        <Figure key={figure} kind={KINDS[figure]} text={texts[figure]} grade={grades[figure]}>
          {figure === 'storage' && <StorageCurve history={system.storage.history} />}
          {figure === 'notifications' && (system.notifications?.queued ?? 0) > 0 && (
            <PageLink page="notifications" search={{ status: 'queued' }}>
              Those of this organization
            </PageLink>
          )}
        </Figure>
      ))}
    </ul>
  );
}

/** The lag of the summary moves with heartbeats, which come every few seconds. */
const SUMMARY_RESOLUTION_SECONDS = 5;

/** What a session may see that is not the operator's: how far evaluation is behind. */
export function LagFigure({ seconds }: { seconds: number | null }) {
  return (
    <ul className={styles['figures']} aria-label="Figures">
      <Figure
        kind={KINDS.lag}
        text={lagText(seconds, SUMMARY_RESOLUTION_SECONDS)}
        grade={gradeLag(seconds)}
      />
    </ul>
  );
}

function Figure({
  kind: { name, metric },
  text: { value, remark },
  grade,
  children,
}: {
  kind: FigureKind;
  text: FigureText;
  grade: Grade;
  children?: React.ReactNode;
}) {
  const shown = GRADES[grade];
  return (
    <li>
      <h3>{name}</h3>
      <p className={styles['value']}>
        {value} {shown !== null && <Status status={shown.status}>{shown.word}</Status>}
      </p>
      <p className={styles['muted']}>{remark}</p>
      {children}
      {metric && <MetricCurve metric={metric} />}
    </li>
  );
}

function MetricCurve({ metric: { name, unit, words } }: { metric: NonNullable<FigureKind['metric']> }) {
  const { data } = useQuery(curveRead(name));
  if (data === undefined || data.points.length === 0) return null;
  const highest = Math.max(...data.points.map(({ value }) => value));
  const length = formatDuration(CURVE_MS);
  return (
    <PageLink
      page="query"
      search={{ metric: name, aggregate: 'max', from: '-12h' }}
      className={styles['course'] ?? ''}
    >
      <Curve {...data} label={`${words}, last ${length}`} />
      <span className={styles['muted']}>
        last {length}, at most {formatValue(highest, unit)}
        {unit === null && ' a minute'}
      </span>
    </PageLink>
  );
}

function StorageCurve({ history }: { history: System['storage']['history'] }) {
  if (history.length < 2) return null;
  const points = history.map(({ t, database_bytes }) => ({ t: Date.parse(t), value: database_bytes }));
  const range = { from: points[0]?.t ?? 0, to: points.at(-1)?.t ?? 0, stepMs: HOUR_MS };
  const length = formatDuration(range.to - range.from);
  return (
    <div className={styles['course']}>
      <Curve points={points} range={range} label={`size of the database, last ${length}`} />
      <span className={styles['muted']}>database, last {length}</span>
    </div>
  );
}
