import { isServed } from '@tidewatch/contracts/console/paths';
import { Button } from '../../components/button.tsx';
import { formatCount } from '../../components/number/number-format.ts';
import type { HostColumns } from '../../fleet/fleet.ts';
import styles from './hosts-page.module.css';

/** Hosts that one comparison has at most. */
export const MAX_COMPARED = 12;

interface SelectionBarProps {
  hosts: HostColumns;
  selection: readonly string[];
  isFull: boolean;
  onCompare: () => void;
  onClear: () => void;
}

/** How many hosts are selected, and what can be done with them. */
export function SelectionBar({ hosts, selection, isFull, onCompare, onClear }: SelectionBarProps) {
  const isComparable = selection.length >= 2 && selection.length <= MAX_COMPARED;
  const unknown = new Set(selection);
  for (const id of hosts.ids) unknown.delete(id);
  const gone = unknown.size;
  return (
    <div className={styles['selection']} role="status">
      <strong>{formatCount(selection.length)} selected</strong>
      {gone > 0 && <span>{formatCount(gone)} of them no longer exist</span>}
      {isFull && <span>No more can be selected</span>}
      {isServed('compare') && (
        <Button
          kind="primary"
          disabled={!isComparable}
          title={isComparable ? 'Shortcut: c' : `Select 2 to ${MAX_COMPARED} hosts to compare them`}
          onClick={onCompare}
        >
          Compare
        </Button>
      )}
      <Button onClick={onClear}>Clear selection</Button>
    </div>
  );
}
