import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { SecretDialog } from '../../components/secret/secret-dialog.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { withValue } from '../../form/form-state.ts';
import { ChannelForm } from './channel-form.tsx';
import { KIND_WORDS, newChannel } from './channel-kinds.ts';

/** A form for a new channel of a kind. A secret that the server made is shown until the user has stored it. */
export function NewChannel({ kind, onClose }: { kind: ChannelKind; onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => newChannel(kind));
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/channels', { body: draft as never }),
    onSuccess: async ({ config }) => {
      await client.invalidateQueries({ queryKey: ['channels'] });
      const given = (draft['config'] as { secret?: unknown }).secret;
      const made = 'secret' in config && !given ? config.secret : null;
      if (made === null) onClose();
      else setSecret(made);
    },
  });
  if (secret !== null)
    return (
      <SecretDialog title="The secret of the webhook" secret={secret} onStored={onClose}>
        <p>Deliveries are signed with this secret. It is shown only now.</p>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={`New channel: ${KIND_WORDS[kind]}`}
      submit="Save"
      busy="Saving …"
      acting={create}
      draft={draft}
      change={(path, value) => setDraft((former) => withValue(former, path, value))}
      onClose={onClose}
    >
      <ChannelForm isNew />
    </FormDialog>
  );
}
