import { Button, FileButton, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { MOST_CA_CHARACTERS } from '../../../../contract/desktop.ts';
import { t } from '../../../../lib/language.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';

/** `ca` null: as it is kept. `proxy`: `system`, `direct` or an address. */
export interface RouteDraft {
  ca: string | null;
  proxy: string;
}

/** How a connection's requests travel: by which proxy, and whose certificates count. */
export function RouteFields({
  value,
  kept,
  onChange,
}: {
  value: RouteDraft;
  kept: string | null;
  onChange(value: RouteDraft): void;
}) {
  const mode = value.proxy === 'system' || value.proxy === 'direct' ? value.proxy : 'own';
  const take = (file: File | null) => {
    if (file === null) return;
    if (file.size > MOST_CA_CHARACTERS)
      return toastInfo(
        t('{name} is too large', { name: file.name }),
        t('A certificate in PEM form has a few thousand characters.'),
      );
    void file.text().then((ca) => onChange({ ...value, ca }));
  };
  return (
    <details className={css['more']} open={kept !== null || mode !== 'system'}>
      <summary>{t('Network: own certificate authority, proxy')}</summary>
      <Stack gap="sm" mt="xs">
        <Textarea
          label={t('Certificate authority')}
          description={
            kept === null
              ? t(
                  'PEM, for a master whose certificate the system does not trust. With it, no other authority counts for this connection.',
                )
              : t('Now: {authority}. Another one, or none, needs the token again.', { authority: kept })
          }
          placeholder={kept === null ? '-----BEGIN CERTIFICATE-----' : t('Kept as it is')}
          value={value.ca ?? ''}
          onChange={(event) => onChange({ ...value, ca: event.currentTarget.value })}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        <Group gap="xs">
          <FileButton onChange={take} accept=".pem,.crt,.cer">
            {(props) => (
              <Button {...props} variant="default" size="xs">
                {t('From a file…')}
              </Button>
            )}
          </FileButton>
          {kept !== null && value.ca === null && (
            <Button variant="default" size="xs" onClick={() => onChange({ ...value, ca: '' })}>
              {t("Use the system's again")}
            </Button>
          )}
        </Group>
        <div>
          <div className={css['label']}>{t('Proxy')}</div>
          <SegmentedControl
            aria-label={t('Proxy')}
            value={mode}
            onChange={(next) => onChange({ ...value, proxy: next === 'own' ? 'http://' : next })}
            data={[
              { value: 'system', label: t("The system's") },
              { value: 'direct', label: t('None') },
              { value: 'own', label: t('This one') },
            ]}
          />
        </div>
        {mode === 'own' && (
          <TextInput
            label={t('Address of the proxy')}
            description={t('http://host:port, https://, socks4:// or socks5://')}
            value={value.proxy}
            onChange={(event) => onChange({ ...value, proxy: event.currentTarget.value })}
          />
        )}
      </Stack>
    </details>
  );
}
