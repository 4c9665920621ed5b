import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../components/time/clock.ts';
import { zoneName } from '../../components/time/time-format.ts';
import { timeOfWallClock, wallClock } from '../../components/time/wall-clock.ts';
import { Field, PatternsField, TagsField, TextField } from '../../form/fields.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { type Draft, useForm, withValue } from '../../form/form-state.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import styles from './markers.module.css';

/** Sets a marker: what was done, when, and to which hosts. */
export function NewMarker({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => ({
    title: '',
    at: new Date(Math.floor(serverNow() / 1_000) * 1_000).toISOString(),
  }));
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/markers', { body: draft as never }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['markers'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title="New marker"
      submit="Save"
      busy="Saving …"
      acting={create}
      draft={draft}
      change={(path, value) => setDraft((former) => withValue(former, path, value))}
      onClose={onClose}
    >
      <TextField path="/title" label="Title" help="What was done: api 1.4.2 deployed." />
      <TimeField path="/at" label="Time" />
      <PatternsField
        path="/selector/hosts"
        label="Hosts"
        help="Names or patterns: web-*, db-1. Empty: all."
      />
      <TagsField path="/selector/tags" label="Tags of hosts" />
      <TagsField path="/tags" label="Tags" help="Anything about it: version=1.4.2." />
    </FormDialog>
  );
}

/** A time of the draft by the clock of the page's zone, which stands beside it. */
function TimeField({ path, label }: { path: string; label: string }) {
  const { draft, change } = useForm();
  const { zone } = usePreferences();
  const at = Date.parse(String(draft[path.slice(1)] ?? ''));
  return (
    <Field path={path} label={label}>
      {({ id, describedBy, isInvalid }) => (
        <span className={styles['clock']}>
          <input
            id={id}
            type="datetime-local"
            step="1"
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={Number.isNaN(at) ? '' : new Date(wallClock(at, zone)).toISOString().slice(0, 19)}
            onChange={({ target: { value } }) => {
              const chosen = timeOfWallClock(Date.parse(`${value}Z`), zone);
              change(path, Number.isNaN(chosen) ? undefined : new Date(chosen).toISOString());
            }}
          />
          <span>{zoneName(Number.isNaN(at) ? serverNow() : at, zone)}</span>
        </span>
      )}
    </Field>
  );
}
