import { splitNameAndValue } from '@tidewatch/contracts/queries/separated';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { visibleText } from '../../components/visible-text.ts';
import { writeTag } from '../../fleet/filter.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './hosts-page.module.css';

/** Typing that goes on after a longer pause is another question, with an entry of its own in the history. */
const PAUSE_MS = 1_000;

/** Filters hosts by a part of the name while somebody types. `role:db` and Enter filter by a tag. */
export function HostsFilter({ tagNames }: { tagNames: readonly string[] }) {
  const search = usePageSearch('hosts');
  const setSearch = useSetPageSearch('hosts');
  const [text, setText] = useState(search.q ?? '');
  const typedAt = useRef(0);
  const sent = useRef(search.q);
  useEffect(() => {
    // Back, or a link, has changed the filter.
    if (search.q !== sent.current) setText(search.q ?? '');
    sent.current = search.q;
  }, [search.q]);

  const type = (value: string) => {
    const now = performance.now();
    setText(value);
    sent.current = value === '' ? undefined : value;
    void setSearch({ q: sent.current }, { replace: now - typedAt.current < PAUSE_MS });
    typedAt.current = now;
  };
  const tag = tagIn(text, tagNames);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag === undefined) return;
    const written = writeTag(tag.name, tag.value);
    setText('');
    sent.current = undefined;
    void setSearch({ q: undefined, tag: [...new Set([...(search.tag ?? []), written])] });
  };
  return (
    <form className={styles['filter']} onSubmit={submit}>
      <input
        data-page-filter
        type="search"
        aria-label="Filter hosts by name or tag"
        placeholder="Filter: name, or tag:value and Enter"
        title="Shortcut: /"
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        value={text}
        aria-describedby={tag && 'hosts-filter-hint'}
        onChange={({ target }) => type(target.value)}
      />
      {tag && (
        <p id="hosts-filter-hint" className={styles['hint']}>
          Enter filters by the tag <code>{visibleText(tag.name)}</code> with the value{' '}
          <code>{visibleText(tag.value)}</code>.
        </p>
      )}
    </form>
  );
}

/** The tag that a text names; undefined for a part of a name. A known name of a tag counts without its value. */
function tagIn(text: string, tagNames: readonly string[]): { name: string; value: string } | undefined {
  const tag = splitNameAndValue(text.trim());
  if (tag === undefined || tag.name === '') return undefined;
  return tag.value !== '' || tagNames.includes(tag.name) ? tag : undefined;
}
