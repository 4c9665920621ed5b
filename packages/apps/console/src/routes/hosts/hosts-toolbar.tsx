import { Button } from '../../components/button.tsx';
import { download } from '../../components/download.ts';
import { Filters } from '../../components/filters/filters.tsx';
import { FilterSelect, Select } from '../../components/select.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { hostsAsCsv, hostsAsNdjson } from '../../fleet/export-hosts.ts';
import { FILLS, type Fill } from '../../fleet/filter.ts';
import type { HostColumns } from '../../fleet/fleet.ts';
import { useTagNames } from '../../fleet/use-tag-names.ts';
import { X } from '../../icons/lucide.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { ColumnChoice } from './column-choice.tsx';
import { HostsFilter } from './hosts-filter.tsx';
import styles from './hosts-page.module.css';
import { fillOf } from './hosts-state.ts';
import { countText, FILL_WORDS } from './hosts-texts.ts';
import { OrderChoice } from './order-choice.tsx';

interface HostsToolbarProps {
  hosts: HostColumns;
  shown: readonly number[];
  /** The rows of the table in its order; empty in the map. */
  sorted: readonly number[];
}

/** The filter, and what map and table make of it. */
export function HostsToolbar({ hosts, shown, sorted }: HostsToolbarProps) {
  const search = usePageSearch('hosts');
  const setSearch = useSetPageSearch('hosts');
  const tagNames = useTagNames(search.group_by);
  const isTable = search.view === 'table';
  const exported = sorted.length > 0 ? sorted : shown;
  return (
    <>
      <Filters
        name="Filter hosts"
        active={
          isTable
            ? search.sort === undefined
              ? 0
              : 1
            : [search.group_by, search.fill].filter(Boolean).length
        }
        lead={<HostsFilter tagNames={tagNames} />}
        after={
          <>
            <fieldset className={styles['views']} aria-label="View" title="Shortcut: v">
              <Button aria-pressed={!isTable} onClick={() => void setSearch({ view: undefined })}>
                Map
              </Button>
              <Button aria-pressed={isTable} onClick={() => void setSearch({ view: 'table' })}>
                Table
              </Button>
            </fieldset>
            <span className={styles['total']} role="status">
              {countText(shown.length, hosts.ids.length)}
            </span>
          </>
        }
      >
        {!isTable && (
          <FilterSelect
            label="Group"
            value={search.group_by}
            options={[['', 'none'], ...tagNames.map((name) => [name, name] as const)]}
            onChange={(value) => setSearch({ group_by: value })}
          />
        )}
        {!isTable && (
          <Select
            label="Fill"
            value={fillOf(search)}
            options={FILLS.map((fill) => [fill, FILL_WORDS[fill]])}
            title="Shortcut: f"
            onChange={(fill) =>
              setSearch({ fill: fill === 'status' ? undefined : (fill as Fill), step: undefined })
            }
          />
        )}
        {isTable && <OrderChoice />}
        {isTable && <ColumnChoice tagNames={tagNames} />}
        <fieldset className={styles['exports']} aria-label="Export">
          <Button onClick={() => download('hosts.csv', 'text/csv', hostsAsCsv(hosts, exported))}>CSV</Button>
          <Button
            onClick={() => download('hosts.ndjson', 'application/x-ndjson', hostsAsNdjson(hosts, exported))}
          >
            NDJSON
          </Button>
        </fieldset>
      </Filters>
      {search.tag && (
        <ul className={styles['chips']} aria-label="Tags">
          {search.tag.map((tag) => (
            <li key={tag}>
              <Button
                aria-label={`Remove the filter ${visibleText(tag)}`}
                onClick={() => {
                  const rest = search.tag?.filter((each) => each !== tag) ?? [];
                  void setSearch({ tag: rest.length === 0 ? undefined : rest });
                }}
              >
                {visibleText(tag)} <X size={14} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
