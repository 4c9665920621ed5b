import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { useChartGroup } from '../../chart/chart-group.tsx';
import { limitLines } from '../../chart/data/limit-lines.ts';
import { provenance } from '../../chart/data/provenance.ts';
import { stepFor } from '../../chart/data/step.ts';
import { TimeChart } from '../../chart/time-chart.tsx';
import { Button } from '../../components/button.tsx';
import { Value } from '../../components/number/number.tsx';
import { formatCount, formatDuration } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { problemText } from '../../components/problem-text.ts';
import { ProgressLine } from '../../components/skeleton.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type AllowedChoice, allowedChoices } from './allowed-choices.ts';
import type { queryInput } from './query-input.ts';
import { type GroupRow, groupRows, queryLines } from './query-lines.ts';
import styles from './query-page.module.css';

export interface QueryResultProps {
  input: NonNullable<ReturnType<typeof queryInput>>;
  /** The step that was chosen, seconds; undefined: one that suits the width of the chart. */
  stepSeconds: number | undefined;
  onChange: (changes: AllowedChoice['change']) => void;
}

/** Queries over many hosts are repeated seldom while the range ends now. */
const TURN_MS = 15_000;
const HEIGHT = 320;

/** The chart and the table of a query, or why the API refused it and what it allows. */
export function QueryResult({ input, stepSeconds, onChange }: QueryResultProps) {
  const { range, texts, isLive, now } = useChartGroup();
  const [width, setWidth] = useState(0);
  const rangeMs = range.to - range.from;
  const stepMs =
    stepSeconds === undefined ? stepFor(rangeMs, Math.max(width, 200), null) : stepSeconds * SECOND_MS;
  const turn = isLive ? Math.floor(now / TURN_MS) : 0;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['query', input, texts.from, texts.to ?? '', stepMs, turn],
    enabled: width > 0,
    gcTime: 4 * TURN_MS,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const began = performance.now();
      const body = {
        ...input,
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        step: stepMs / SECOND_MS,
      };
      const answer = (await api.post('/api/v1/query', { body, signal })) as Schema<'FleetAnswer'>;
      return { answer, tookMs: performance.now() - began, input };
    },
  });
  const isSame = data !== undefined && error === null;
  const all = useMemo(
    () =>
      isSame
        ? queryLines(data.answer, data.input.group_by, data.input.top !== null, data.input.by).map(
            withVisibleName,
          )
        : undefined,
    [data, isSame],
  );
  const lines = useMemo(() => all && limitLines(all), [all]);
  return (
    <>
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error !== null && (
        <>
          <Problem error={error} retry={() => void refetch()} />
          <div className={styles['choices']}>
            {allowedChoices(problemText(error).faults, rangeMs).map(({ label, change }) => (
              <Button key={label} onClick={() => onChange(change)}>
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
      <TimeChart
        title={visibleText(input.metric)}
        metric={input.metric}
        unit={input.aggregate === 'count' ? 'count' : (data?.answer.unit ?? null)}
        lines={error === null ? lines : []}
        notice={error === null ? undefined : 'The API refused this query'}
        csvLines={all}
        provenance={isSame ? sourceText(data.answer, data.tookMs) : ''}
        level={2}
        height={HEIGHT}
        onView={(view) => setWidth(view.width)}
      />
      {all !== undefined && all.length > 0 && (
        <div className={styles['table']}>
          <Table
            name="Groups"
            columns={columnsOf(
              input.aggregate === 'count' ? 'count' : (data?.answer.unit ?? null),
              input.metric,
            )}
            rows={groupRows(all)}
            keyOf={({ name }) => name}
          />
        </div>
      )}
    </>
  );
}

function withVisibleName<Named extends { name: string }>(line: Named): Named {
  return { ...line, name: visibleText(line.name) };
}

/** "1-minute rollups of samples · 412 hosts in 3 groups · 0.1 s". */
function sourceText(answer: Schema<'FleetAnswer'>, tookMs: number): string {
  const { tier, step_seconds: seconds, services, series } = answer;
  const groups = series.length === 1 ? '1 group' : `${formatCount(series.length)} groups`;
  const hosts = `${formatCount(services)} ${services === 1 ? 'host' : 'hosts'} in ${groups}`;
  const source = { tier, stepMs: seconds * SECOND_MS, intervalMs: null };
  return `${provenance(source, hosts)} · ${formatDuration(tookMs)}`;
}

function columnsOf(unit: Schema<'FleetAnswer'>['unit'], metric: string): Column<GroupRow>[] {
  const number = (id: 'last' | 'mean' | 'min' | 'max', heading: string): Column<GroupRow> => ({
    id,
    heading,
    width: 'minmax(90px, 1fr)',
    isNumber: true,
    cell: (row) => <Value value={row[id]} unit={unit} metric={metric} />,
  });
  return [
    {
      id: 'name',
      heading: 'Group',
      width: 'minmax(140px, 2fr)',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    number('last', 'Last'),
    number('mean', 'Mean'),
    number('min', 'Min'),
    number('max', 'Max'),
  ];
}
