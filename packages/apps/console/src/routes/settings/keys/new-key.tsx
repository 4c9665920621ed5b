import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { visibleText } from '../../../components/visible-text.ts';
import { NumberField, PatternsField, TextField } from '../../../form/fields.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { EndField } from './end-field.tsx';
import { keyBody, NEW_KEY } from './key-draft.ts';
import { ScopesField } from './scopes-field.tsx';

/** A form for a new key. Its secret is shown until the user has stored it. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { zone } = usePreferences();
  const { draft, change, discard } = useKeptDraft('key', NEW_KEY);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/keys', { body: keyBody(draft, serverNow(), zone) }),
    onSuccess: (key) => {
      setSecret(key.secret);
      discard();
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const { data } = create;
  if (secret !== null)
    return (
      <SecretDialog
        title={`The key “${visibleText(data?.name ?? '')}”`}
        secret={secret}
        onStored={() => {
          setSecret(null);
          onClose();
        }}
      >
        <p>Only its digest is stored, so that the key is shown only now.</p>
      </SecretDialog>
    );
  return (
    <FormDialog
      title="New key"
      submit="Create the key"
      busy="Creating …"
      acting={create}
      draft={draft}
      change={change}
      onClose={onClose}
      discard={discard}
    >
      <TextField
        path="/name"
        label="Name"
        help="One key for each person and each group of agents: the audit log names keys."
      />
      <ScopesField />
      <PatternsField
        path="/hosts"
        label="Hosts"
        help="That it may report for, with commas between, such as web-*."
      />
      <EndField />
      <NumberField
        path="/rate_limit_per_minute"
        label="Requests"
        unit="a minute"
        help="Empty: the default of the installation."
      />
    </FormDialog>
  );
}
