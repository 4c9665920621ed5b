import { usePhone } from '../../components/use-phone.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { DEFAULT_ORDER, orderOf } from './hosts-state.ts';

const ORDERS: Readonly<Record<string, string>> = {
  status: 'worst first',
  name: 'by name',
  '-cpu_percent': 'by CPU',
  '-memory_percent': 'by memory',
  '-disk_percent': 'by disk',
  '-alerts': 'by alerts',
  last_seen: 'silent longest',
};

/** The order of the table on a phone, where no column has a heading to choose. */
export function OrderChoice() {
  const isPhone = usePhone();
  const setSearch = useSetPageSearch('hosts');
  const order = orderOf(usePageSearch('hosts'));
  if (!isPhone) return null;
  return (
    <label>
      Order{' '}
      <select
        value={order}
        onChange={({ target: { value } }) =>
          void setSearch({ sort: value === DEFAULT_ORDER ? undefined : value })
        }
      >
        {!Object.hasOwn(ORDERS, order) && <option value={order}>as chosen</option>}
        {Object.entries(ORDERS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
