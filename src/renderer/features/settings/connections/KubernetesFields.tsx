import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { KubernetesRelease } from '../../../../contract/tunnels.ts';
import { t } from '../../../../lib/language.ts';
import { callShell, contextsQuery } from '../../../stores/desktop.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { describeError } from '../../../ui/error-text.ts';
import type { WayDraft } from './connection-draft.ts';

const nameOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;

/** A release of the chart, found through a context of a kubeconfig. What went wrong is said at the field that mends it. */
export function KubernetesFields({ value, onChange }: { value: WayDraft; onChange(value: WayDraft): void }) {
  const kubeconfig = value.kubeconfig.trim() === '' ? null : value.kubeconfig.trim();
  const [asked] = useDebouncedValue(kubeconfig, 300);
  const { data, error } = useQuery(contextsQuery(asked));
  const contexts = data?.contexts ?? [];
  const context = contexts.find(({ name }) => name === value.context);
  const gone = data !== undefined && value.context !== null && context === undefined;
  const find = useMutation({
    mutationFn: (at: { context: string; namespace: string | null }) =>
      callShell('kubernetes:releases', { kubeconfig, ...at }),
    onSuccess: (found) => {
      const [only] = found;
      if (only && found.length === 1) onChange({ ...value, release: { namespace: only.namespace, name: only.name } });
    },
  });
  // What was found elsewhere, or went wrong there, says nothing of this place.
  const place = (change: Partial<WayDraft>) => {
    find.reset();
    onChange({ ...value, release: null, ...change });
  };
  const fault = find.error === null ? null : describeError(find.error);
  const at =
    fault?.code === 'KUBERNETES_FORBIDDEN' ? 'namespace' : fault?.code === 'RELEASE_NOT_FOUND' ? 'release' : 'context';
  return (
    <>
      <TextInput
        label={t('Kubeconfig file')}
        description={t('Empty: as kubectl finds it (KUBECONFIG, ~/.kube/config). Only read, never changed')}
        placeholder={data?.file ?? '~/.kube/config'}
        {...bindText(value.kubeconfig, (text) => place({ kubeconfig: text, context: null }))}
        error={error === null ? undefined : describeError(error).detail}
        spellCheck={false}
      />
      <Select
        label={t('Context')}
        description={
          context?.command
            ? t('Runs {command} for credentials', { command: context.command })
            : (context?.server ?? t('Cluster and user, as kubectl config get-contexts lists them'))
        }
        data={[...contexts.map(({ name }) => name), ...(gone ? [value.context ?? ''] : [])]}
        {...bindChoice(value.context, (name) =>
          place({ context: name, namespace: contexts.find((one) => one.name === name)?.namespace ?? '' }),
        )}
        error={gone ? t('This kubeconfig no longer has this context') : at === 'context' ? fault?.detail : undefined}
        searchable
        disabled={contexts.length === 0}
        required
      />
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('Namespace')}
          description={t('Empty: search all namespaces')}
          {...bindText(value.namespace, (text) => place({ namespace: text.trim() }))}
          error={at === 'namespace' ? fault?.detail : undefined}
          spellCheck={false}
        />
        <Button
          variant="default"
          loading={find.isPending}
          disabled={context === undefined}
          onClick={() =>
            find.mutate({ context: value.context ?? '', namespace: value.namespace === '' ? null : value.namespace })
          }
        >
          {t('Find releases')}
        </Button>
      </Group>
      <ReleaseSelect
        value={value}
        found={find.data}
        error={at === 'release' ? fault?.detail : undefined}
        onChange={onChange}
      />
      <Select
        label={t('Token')}
        description={t('Read from the Secret of the release at each connect, and never stored')}
        data={[
          { value: 'admin', label: t('Administrator token of the release') },
          { value: 'viewer', label: t('Viewer token of the release') },
          { value: 'own', label: t('A token of your own') },
        ]}
        {...bindChoice(value.access, (access) => onChange({ ...value, access }))}
        allowDeselect={false}
      />
    </>
  );
}

function ReleaseSelect({
  value,
  found,
  error,
  onChange,
}: {
  value: WayDraft;
  found: readonly KubernetesRelease[] | undefined;
  error: string | undefined;
  onChange(value: WayDraft): void;
}) {
  const kept = value.release;
  const options = (found ?? []).map((release) => ({
    value: nameOf(release),
    label: t('{name}, version {version}, {ready} of {masters} masters ready', {
      name: nameOf(release),
      version: release.version ?? '–',
      ready: release.ready,
      masters: release.masters,
    }),
  }));
  if (kept && !options.some((one) => one.value === nameOf(kept)))
    options.push({ value: nameOf(kept), label: nameOf(kept) });
  return (
    <Select
      label={t('Release')}
      description={
        found !== undefined && found.length > 1
          ? t('{count} releases found: choose one', { count: found.length })
          : t('Of the Helm chart, as namespace/name')
      }
      data={options}
      {...bindChoice(kept === null ? null : nameOf(kept), (choice) => {
        const [namespace = '', name = ''] = choice.split('/');
        onChange({ ...value, release: { namespace, name } });
      })}
      error={error}
      disabled={options.length === 0 && error === undefined}
      required
    />
  );
}
