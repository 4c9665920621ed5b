import { Button } from '../../../components/button.tsx';
import { FilterChip } from '../../../components/filter-chip.tsx';
import { Filters } from '../../../components/filters/filters.tsx';
import { FilterSelect } from '../../../components/select.tsx';
import { RangeChoice } from '../../../components/time/range-choice.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import styles from '../settings.module.css';
import { ACTION_WORDS, isObjectType, OBJECT_WORDS } from './audit-words.ts';

const NO_FILTERS = {
  action: undefined,
  actor: undefined,
  object: undefined,
  from: undefined,
  to: undefined,
};

/** The filters of the audit log, all of which are in the URL. */
export function AuditFilters() {
  const { action, actor, object, from, to } = usePageSearch('audit');
  const setSearch = useSetPageSearch('audit');
  const kind = isObjectType(object) ? object : undefined;
  const isFiltered = [action, actor, object, from, to].some((each) => each !== undefined);
  return (
    <Filters
      name="Filter the audit log"
      active={[action, kind, from ?? to].filter((each) => each !== undefined).length}
      after={
        <>
          {object !== undefined && kind === undefined && (
            <FilterChip
              className={styles['chip']}
              label={`of ${visibleText(object)}`}
              onRemove={() => void setSearch({ object: undefined })}
            />
          )}
          {actor !== undefined && (
            <FilterChip
              className={styles['chip']}
              label={`by ${visibleText(actor)}`}
              onRemove={() => void setSearch({ actor: undefined })}
            />
          )}
          {isFiltered && <Button onClick={() => void setSearch(NO_FILTERS)}>Clear filters</Button>}
        </>
      }
    >
      <FilterSelect
        label="Action"
        value={action}
        options={[['', 'any'], ...Object.entries(ACTION_WORDS)]}
        onChange={(value) => setSearch({ action: value })}
      />
      <FilterSelect
        label="Objects"
        value={kind}
        options={[['', 'all'], ...Object.entries(OBJECT_WORDS)]}
        onChange={(value) => setSearch({ object: value })}
      />
      <RangeChoice label="Time" texts={{ from, to }} onRange={(texts) => void setSearch(texts)} />
    </Filters>
  );
}
