import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { NumberField } from '../../../form/fields.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { type Draft, withValue } from '../../../form/form-state.ts';
import type { Key } from './key-words.ts';

/** Makes a successor of a key. The former one goes on working for a grace period, in which its users move over. */
export function RotateKey({ value, onClose }: { value: Key; onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ grace_hours: 24 });
  const [secret, setSecret] = useState<string | null>(null);
  const { id, name } = value;
  const rotate = useMutation({
    mutationFn: () =>
      api.post('/api/v1/keys/{id}/rotate', {
        params: { path: { id } },
        body: { grace_hours: draft['grace_hours'] as number },
      }),
    onSuccess: (key) => {
      setSecret(key.secret);
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (secret !== null)
    return (
      <SecretDialog
        title={`The new key “${visibleText(name)}”`}
        secret={secret}
        onStored={() => {
          setSecret(null);
          onClose();
        }}
      >
        <p>
          Give it to everything that uses the former key. Only its digest is stored, so that the key is shown
          only now.
        </p>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={`Rotate ${visibleText(name)}`}
      submit="Rotate"
      busy="Rotating …"
      acting={rotate}
      draft={draft}
      change={(path, next) => setDraft((former) => withValue(former, path, next))}
      onClose={onClose}
    >
      <p>
        A new key with the same name, scopes, limits and hosts takes the place of this one. This page then
        shows which hosts have moved to it.
      </p>
      <NumberField
        path="/grace_hours"
        label="Grace period"
        unit="hours"
        help="For which the present key goes on working. Sessions that were signed in with it end with it."
      />
    </FormDialog>
  );
}
