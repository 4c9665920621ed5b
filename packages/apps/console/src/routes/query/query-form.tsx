import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { FilterSelect, Select } from '../../components/select.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { AGGREGATES, aggregateOf, entriesOf, GROUPINGS, STEPS, tagsOf, tagsText } from './query-input.ts';
import styles from './query-page.module.css';

const MAX_OFFERED = 100;
/** The names of metrics are looked up once typing pauses. */
const PAUSE_MS = 200;

/** The question, of which each field is a part of the URL. A field counts when it is left, or on Enter. */
export function QueryForm() {
  const search = usePageSearch('query');
  const set = useSetPageSearch('query');
  const change = (changes: PageSearch<'query'>) => void set(changes);
  return (
    <form className={styles['form']} aria-label="Query" onSubmit={(event) => event.preventDefault()}>
      <MetricField
        value={search.metric ?? ''}
        onChange={(metric) => change({ metric: metric || undefined })}
      />
      <TextField
        label="Hosts"
        placeholder="all, or web-*, db-1"
        value={search.hosts?.join(', ') ?? ''}
        onChange={(text) => change({ hosts: entriesOf(text) })}
      />
      <TextField
        label="Tags"
        placeholder="region=eu-1, role=db"
        value={tagsText(search.tag)}
        onChange={(text) => change({ tag: tagsOf(text) })}
      />
      <TextField
        label="Parts"
        placeholder="all, or /var*, sda"
        value={search.part?.join(', ') ?? ''}
        onChange={(text) => change({ part: entriesOf(text) })}
      />
      <Select
        label="Aggregate"
        value={aggregateOf(search.aggregate)}
        options={AGGREGATES.map((aggregate) => [aggregate, aggregate])}
        onChange={(value) => change({ aggregate: value === 'avg' ? undefined : value })}
      />
      <FilterSelect
        label="Group by"
        value={search.by}
        options={GROUPINGS}
        onChange={(by) => change({ by })}
      />
      <TextField
        label="Group by tag"
        placeholder="none"
        value={search.group_by ?? ''}
        onChange={(text) => change({ group_by: text.trim() || undefined })}
      />
      <TextField
        label="Top"
        placeholder="all"
        isNumber
        value={search.top?.toString() ?? ''}
        onChange={(text) => change({ top: topOf(text) })}
      />
      <label>
        Step
        <select
          value={search.step ?? ''}
          onChange={({ target: { value } }) => change({ step: value === '' ? undefined : Number(value) })}
        >
          <option value="">fits the chart</option>
          {search.step !== undefined && !STEPS.some(([seconds]) => seconds === search.step) && (
            <option value={search.step}>{search.step} s</option>
          )}
          {STEPS.map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

function topOf(text: string): number | undefined {
  const top = Math.round(Number(text));
  return text.trim() === '' || Number.isNaN(top) ? undefined : Math.min(Math.max(top, 1), 100);
}

interface FieldProps {
  label: string;
  value: string;
  placeholder?: string;
  isNumber?: boolean;
  list?: string;
  onChange: (text: string) => void;
  onType?: (text: string) => void;
}

/** A field whose text counts when it is left, or on Enter. */
function TextField({ label, value, placeholder, isNumber = false, list, onChange, onType }: FieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    if (text !== value) onChange(text);
  };
  return (
    <label>
      {label}
      <input
        type={isNumber ? 'number' : 'text'}
        min={isNumber ? 1 : undefined}
        max={isNumber ? 100 : undefined}
        list={list}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        onChange={({ target }) => {
          setText(target.value);
          onType?.(target.value);
        }}
        onBlur={commit}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && commit()}
      />
    </label>
  );
}

/** The name of a metric, with those that the hosts report. */
function MetricField({ value, onChange }: { value: string; onChange: (metric: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [q, setQ] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ['metrics', q],
    queryFn: async () => {
      const query = { limit: MAX_OFFERED, sort: '-services', ...(q !== '' && { q }) } as const;
      return (await api.get('/api/v1/metrics', { params: { query } })) as Schema<'MetricsPage'>;
    },
    staleTime: 60_000,
  });
  return (
    <>
      <TextField
        label="Metric"
        placeholder="cpu_percent"
        value={value}
        list={id}
        onChange={(text) => onChange(text.trim())}
        onType={(text) => {
          setTyped(text);
          // A name that was picked from the list counts at once.
          if (data?.metrics.some(({ name }) => name === text)) onChange(text);
        }}
      />
      <datalist id={id}>
        {data?.metrics.map(({ name, services }) => (
          <option key={name} value={name}>
            {services} hosts
          </option>
        ))}
      </datalist>
    </>
  );
}
