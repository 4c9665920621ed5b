import type { Rule } from '@tidewatch/contracts/rules/rule';
import { Suspense, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { download } from '../../components/download.ts';
import { Filters } from '../../components/filters/filters.tsx';
import { Problem } from '../../components/problem.tsx';
import { FilterSelect, Select } from '../../components/select.tsx';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { lazyPart } from '../../upgrade/load-part.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './rules.module.css';
import { type RuleOrder, ruleOrder } from './rules-order.ts';

/** The dialog and its reader of YAML are loaded when somebody imports. */
const ImportDialog = lazyPart(() => import('./import/import-dialog.tsx'), 'ImportDialog');

const SEVERITIES = [
  ['', 'any'],
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'info'],
] as const;
const ORDERS: Record<RuleOrder, string> = {
  name: 'by name',
  alerts: 'by alerts',
  updated_at: 'by last change',
};

const PAUSE_MS = 1_000;

/** The filters of the list, its order and its export. */
export function RulesToolbar({ rules }: { rules: readonly Rule[] }) {
  const { q, severity, sort } = usePageSearch('rules');
  const setSearch = useSetPageSearch('rules');
  const typedAt = useRef(0);
  const [error, setError] = useState<unknown>();
  const [isImporting, setImporting] = useState(false);
  const exportAll = async () => {
    setError(undefined);
    try {
      const yaml = await api.get('/api/v1/alerts/rules', {
        params: { query: { format: 'yaml' } },
        parseAs: 'text',
      });
      download('rules.yaml', 'application/yaml', String(yaml));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <>
      <Filters
        name="Filter rules"
        active={[severity, sort].filter((each) => each !== undefined).length}
        lead={
          <input
            data-page-filter
            type="search"
            aria-label="Filter rules by name"
            placeholder="Filter: name"
            title="Shortcut: /"
            maxLength={200}
            value={q ?? ''}
            onChange={({ target }) => {
              const now = performance.now();
              void setSearch({ q: target.value || undefined }, { replace: now - typedAt.current < PAUSE_MS });
              typedAt.current = now;
            }}
          />
        }
        after={
          <>
            <strong role="status">
              {rules.length} {rules.length === 1 ? 'rule' : 'rules'}
            </strong>
            <span className={styles['end']}>
              <ScopedButton onClick={() => setImporting(true)}>Import YAML</ScopedButton>
              <Button
                title="All rules as the document that the API and the command line take"
                onClick={exportAll}
              >
                Export YAML
              </Button>
            </span>
          </>
        }
      >
        <FilterSelect
          label="Severity"
          value={severity}
          options={SEVERITIES}
          onChange={(value) => setSearch({ severity: value })}
        />
        <Select
          label="Order"
          value={ruleOrder(sort)}
          options={Object.entries(ORDERS)}
          onChange={(order) => setSearch({ sort: order === 'name' ? undefined : (order as RuleOrder) })}
        />
      </Filters>
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {error !== undefined && <Problem error={error} retry={() => void exportAll()} />}
    </>
  );
}
