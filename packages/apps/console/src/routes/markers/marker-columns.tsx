import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/table/column.ts';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type Marker, selectorText, tagsText } from './marker-words.ts';
import styles from './markers.module.css';

type OnDelete = (marker: Marker) => void;

/** The columns of the list of markers; without `onDelete` nobody may delete one. */
export function markerColumns(onDelete: OnDelete | null): Column<Marker>[] {
  return [
    { id: 'at', heading: 'Time', width: '200px', cell: ({ at }) => <Time at={at} /> },
    {
      id: 'title',
      heading: 'Marker',
      width: 'minmax(180px, 3fr)',
      wraps: true,
      cell: ({ title }) => <span title={visibleText(title)}>{visibleText(title)}</span>,
    },
    {
      id: 'hosts',
      heading: 'Hosts',
      width: 'minmax(120px, 1fr)',
      wraps: true,
      cell: ({ selector }) => <span title={selectorText(selector)}>{selectorText(selector)}</span>,
    },
    {
      id: 'tags',
      heading: 'Tags',
      width: 'minmax(100px, 1fr)',
      wraps: true,
      cell: ({ tags }) => <span title={tagsText(tags)}>{tagsText(tags) || '–'}</span>,
    },
    {
      id: 'by',
      heading: 'Set by',
      width: 'minmax(100px, 1fr)',
      cell: ({ created_by }) => {
        const name = visibleText(created_by.name ?? 'Tidewatch');
        return <span title={name}>{name}</span>;
      },
    },
    ...(onDelete === null
      ? []
      : [
          {
            id: 'delete',
            heading: <span className="visually-hidden">Delete</span>,
            width: '72px',
            cell: (marker: Marker) => <Delete marker={marker} onDelete={onDelete} />,
          },
        ]),
  ];
}

/** A marker on two lines, for phones. */
export function NarrowMarker({ marker, onDelete }: { marker: Marker; onDelete: OnDelete | null }) {
  const { at, title, selector } = marker;
  return (
    <div className={styles['narrow']}>
      <div className={styles['line']} title={visibleText(title)}>
        {visibleText(title)}
      </div>
      <div className={styles['second']}>
        <span className={styles['line']} title={selectorText(selector)}>
          <Time at={at} /> · {selectorText(selector)}
        </span>
      </div>
      {onDelete !== null && <Delete marker={marker} onDelete={onDelete} />}
    </div>
  );
}

function Delete({ marker, onDelete }: { marker: Marker; onDelete: OnDelete }) {
  return (
    <Button aria-label={`Delete the marker ${visibleText(marker.title)}`} onClick={() => onDelete(marker)}>
      Delete
    </Button>
  );
}
