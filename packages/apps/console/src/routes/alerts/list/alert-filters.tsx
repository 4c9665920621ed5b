import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { Button } from '../../../components/button.tsx';
import { FilterChip } from '../../../components/filter-chip.tsx';
import { Filters } from '../../../components/filters/filters.tsx';
import { FilterSelect } from '../../../components/select.tsx';
import { RangeChoice } from '../../../components/time/range-choice.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { useTagNames } from '../../../fleet/use-tag-names.ts';
import { hostRead } from '../../host/host-reads.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { useTypedParameter } from '../../typed-parameter.ts';
import { ruleRead } from '../alert-reads.ts';
import { isFiltered, NO_FILTERS, SORTS } from './alerts-query.ts';

const SEVERITIES = { '': 'Any severity', critical: 'critical', warning: 'warning', info: 'info' };
const ACKNOWLEDGED = { '': 'Acknowledged or not', false: 'Not acknowledged', true: 'Acknowledged' };
const GROUPS = { '': 'Not grouped', rule: 'By rule', host: 'By host' };
const SHADOW = { '': 'Without shadow rules', true: 'With shadow rules (on trial)' };

/** The filters of the list of alerts, all of which are in the URL. */
export const AlertFilters = memo(function AlertFilters() {
  const search = usePageSearch('alerts');
  const setSearch = useSetPageSearch('alerts');
  const host = useTypedParameter(search.host ?? '', (value, replace) =>
    setSearch({ host: value.trim() || undefined }, { replace }),
  );
  const { severity, acknowledged, from, to, shadow, sort, service_id, rule_id, group } = search;
  const { data: rule } = useQuery({ ...ruleRead(rule_id ?? ''), enabled: rule_id !== undefined });
  const { data: chosen } = useQuery({ ...hostRead(service_id ?? ''), enabled: service_id !== undefined });
  const tagNames = useTagNames(undefined);
  const groups = [
    ...Object.entries(GROUPS),
    ...tagNames.map((tag) => [`tag.${tag}`, `By ${visibleText(tag)}`] as const),
  ];
  return (
    <Filters
      name="Filter alerts"
      active={
        [severity, acknowledged, from ?? to, shadow, sort, group].filter((each) => each !== undefined).length
      }
      lead={
        <input
          type="search"
          placeholder="Host"
          aria-label="Host"
          data-page-filter
          value={host.value}
          onChange={(event) => host.type(event.target.value)}
        />
      }
      after={
        <>
          {rule_id !== undefined && (
            <FilterChip
              label={`rule ${visibleText(rule?.name ?? rule_id)}`}
              onRemove={() => setSearch({ rule_id: undefined })}
            />
          )}
          {service_id !== undefined && (
            <FilterChip
              label={`host ${visibleText(chosen?.name ?? service_id)}`}
              onRemove={() => setSearch({ service_id: undefined })}
            />
          )}
          {isFiltered(search) && <Button onClick={() => setSearch(NO_FILTERS)}>Clear filters</Button>}
        </>
      }
    >
      <FilterSelect
        aria-label="Severity"
        options={Object.entries(SEVERITIES)}
        value={severity}
        onChange={(value) => setSearch({ severity: value })}
      />
      <FilterSelect
        aria-label="Acknowledged"
        options={Object.entries(ACKNOWLEDGED)}
        value={acknowledged}
        onChange={(value) => setSearch({ acknowledged: value })}
      />
      <RangeChoice label="Fired" texts={{ from, to }} onRange={(texts) => void setSearch(texts)} />
      <FilterSelect
        aria-label="Shadow rules"
        title="A shadow rule is on trial: it records alerts and notifies nobody."
        options={Object.entries(SHADOW)}
        value={shadow}
        onChange={(value) => setSearch({ shadow: value })}
      />
      <FilterSelect
        aria-label="Order"
        options={Object.entries(SORTS)}
        value={sort ?? '-fired_at'}
        onChange={(value) => setSearch({ sort: value === '-fired_at' ? undefined : value })}
      />
      <FilterSelect
        aria-label="Group"
        options={groups}
        value={group}
        onChange={(value) => setSearch({ group: value })}
      />
    </Filters>
  );
});
