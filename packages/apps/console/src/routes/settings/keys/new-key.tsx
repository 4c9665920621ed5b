import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { visibleText } from '../../../components/visible-text.ts';
import { NumberField, PatternsField, TextField } from '../../../form/fields.tsx';
import { FormContext } from '../../../form/form-state.ts';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import styles from '../settings.module.css';
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
  const { data, error } = create;
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
    <Dialog title="New key" isOpen onClose={onClose}>
      <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
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
          {error && <Problem error={error} />}
          <div className={styles['actions']}>
            <Button type="submit" kind="primary" isBusy={create.isPending} busy="Creating …">
              Create the key
            </Button>
            <Button
              onClick={() => {
                discard();
                onClose();
              }}
            >
              Cancel
            </Button>
          </div>
        </form>
      </FormContext>
    </Dialog>
  );
}
