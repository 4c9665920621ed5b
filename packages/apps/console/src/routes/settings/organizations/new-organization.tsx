import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { TextField } from '../../../form/fields.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';

/** Makes an organization. Its first key is shown until the user has stored it. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { draft, change, discard } = useKeptDraft('organization', { name: '' });
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/organizations', { body: { name: String(draft['name']) } }),
    onSuccess: () => {
      discard();
      void client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const { data } = create;
  if (data !== undefined)
    return (
      <SecretDialog
        title={`The first key of ${visibleText(data.organization.name)}`}
        secret={data.key.secret}
        onStored={onClose}
      >
        <p>
          It may do everything in the organization <bdi>{visibleText(data.organization.name)}</bdi>, and is
          shown only now.
        </p>
      </SecretDialog>
    );
  return (
    <FormDialog
      title="New organization"
      submit="Create the organization"
      busy="Creating …"
      acting={create}
      draft={draft}
      change={change}
      onClose={onClose}
      discard={discard}
    >
      <p>It has hosts, rules, alerts, channels and keys of its own.</p>
      <TextField path="/name" label="Name" />
    </FormDialog>
  );
}
