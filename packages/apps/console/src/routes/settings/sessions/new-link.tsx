import { useMutation } from '@tanstack/react-query';
import { includesScope } from '@tidewatch/contracts/values/access';
import { api } from '../../../api/client.ts';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { CheckboxesField, SelectField, TextField } from '../../../form/fields.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { useSession } from '../../../session/session-state.ts';
import { LINK_SCOPES, linkBody, NEW_LINK, VALIDITIES } from './link-draft.ts';

const TEXTS = {
  person: {
    title: 'New sign-in link',
    help: 'Whom it is for, such as Anna on her phone.',
    about: 'The link signs in one browser, once.',
  },
  display: {
    title: 'New display',
    help: 'Where it hangs, such as Wall in the office.',
    about:
      'The link signs in one screen, once. It only reads, shows the overview without navigation, and stays signed in for a year.',
  },
} as const;

/** Makes a link that signs in another browser. Its address is shown until the user has stored it. */
export function NewLink({ kind, onClose }: { kind: 'person' | 'display'; onClose: () => void }) {
  const session = useSession();
  const { draft, change, discard } = useKeptDraft(`link.${kind}`, NEW_LINK);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/sign-in-links', { body: linkBody(draft, kind, serverNow()) }),
    onSuccess: discard,
  });
  const { data } = create;
  const { title, help, about } = TEXTS[kind];
  const identity = session.kind === 'signed-in' ? session.identity : null;
  if (data !== undefined)
    return (
      <SecretDialog title={title} secret={data.url} onStored={onClose}>
        <p>
          {about} It works until <Time at={data.expires_at} />, and is shown only now.
        </p>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={title}
      submit="Create the link"
      busy="Creating …"
      acting={create}
      draft={draft}
      change={change}
      onClose={onClose}
      discard={discard}
    >
      <p>
        {about} Its changes are those of the key “<bdi>{visibleText(identity?.key.name ?? '')}</bdi>”: for
        another person, make a key.
      </p>
      <TextField path="/name" label="Name" help={help} />
      {kind === 'person' && (
        <CheckboxesField
          path="/scopes"
          label="Scopes"
          options={LINK_SCOPES.filter((scope) => includesScope(identity?.scopes ?? [], scope)).map(
            (scope) => [scope, scope] as const,
          )}
        />
      )}
      <SelectField path="/hours" label="Works for" options={VALIDITIES} />
    </FormDialog>
  );
}
