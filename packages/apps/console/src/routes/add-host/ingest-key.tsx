import { useMutation } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Problem } from '../../components/problem.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { formatDate } from '../../components/time/time-format.ts';
import { PatternsField, TextField } from '../../form/fields.tsx';
import { type Draft, FormContext, withValue } from '../../form/form-state.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import styles from './add-host.module.css';
import type { CreatedKey } from './reported-hosts.ts';

/** Creates a key that can only send samples. */
export function IngestKey({ onCreated }: { onCreated: (key: CreatedKey) => void }) {
  const { zone } = usePreferences();
  const [draft, setDraft] = useState<Draft>(() => ({ name: `agents ${formatDate(serverNow(), zone)}` }));
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/keys', { body: { ...draft, scopes: ['ingest'] } as never }),
    onSuccess: onCreated,
  });
  const { error } = create;
  const faults = error instanceof ApiProblem ? error.errors : [];
  return (
    <div className={styles['key']}>
      <FormContext
        value={{
          draft,
          faults,
          change: (path, value) => setDraft((former) => withValue(former, path, value)),
        }}
      >
        <TextField path="/name" label="Name of the key" />
        <PatternsField
          path="/hosts"
          label="Allowed hosts"
          help="Names or patterns: web-*, db-1. Empty: any host."
        />
      </FormContext>
      {error && <Problem error={error} />}
      <ScopedButton
        scope="admin"
        kind="primary"
        isBusy={create.isPending}
        busy="Creating …"
        onClick={() => create.mutate()}
      >
        Create a key
      </ScopedButton>
    </div>
  );
}
