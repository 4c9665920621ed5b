import { visibleText } from '../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './hosts-page.module.css';
import { columnsOf, DEFAULT_COLUMNS, toggled } from './hosts-state.ts';
import { COLUMN_WORDS } from './hosts-texts.ts';

/** The columns of the table, which are in the URL. */
export function ColumnChoice({ tagNames }: { tagNames: readonly string[] }) {
  const search = usePageSearch('hosts');
  const setSearch = useSetPageSearch('hosts');
  const columns = columnsOf(search);
  const all = [...Object.keys(COLUMN_WORDS), ...tagNames.map((name) => `tag.${name}`)];
  const choose = (column: string) => {
    const next = all.filter((each) => (toggled(columns, column) ?? []).includes(each));
    const isDefault = next.join() === DEFAULT_COLUMNS.join();
    void setSearch({ columns: isDefault || next.length === 0 ? undefined : next });
  };
  return (
    <details className={styles['columns']}>
      <summary>Columns</summary>
      <div className={styles['columnList']}>
        {all.map((column) => (
          <label key={column}>
            <input type="checkbox" checked={columns.includes(column)} onChange={() => choose(column)} />{' '}
            {COLUMN_WORDS[column] ?? visibleText(column.slice(4))}
          </label>
        ))}
      </div>
    </details>
  );
}
