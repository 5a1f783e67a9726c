import { Box, Button, FileButton, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { MAX_CA_CHARACTERS } from '../../../../contract/desktop.ts';
import { t } from '../../../../lib/language.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { bindText } from '../../../ui/bind.ts';

/** `ca` null: as it is kept. `proxy`: `system`, `direct` or an address. */
export interface RouteDraft {
  ca: string | null;
  proxy: string;
}

/** How a connection's requests travel: by which proxy, and whose certificates count. */
export function RouteFields({
  value,
  kept,
  withProxy,
  onChange,
}: {
  value: RouteDraft;
  kept: string | null;
  /** False: a tunnel goes its own way. */
  withProxy: boolean;
  onChange(value: RouteDraft): void;
}) {
  const mode = value.proxy === 'system' || value.proxy === 'direct' ? value.proxy : 'own';
  const take = (file: File | null) => {
    if (file === null) return;
    if (file.size > MAX_CA_CHARACTERS)
      return toastInfo(
        t('{name} is too large', { name: file.name }),
        t('Expected a PEM certificate of a few thousand characters.'),
      );
    void file.text().then((ca) => onChange({ ...value, ca }));
  };
  return (
    <details className={css['more']} open={kept !== null || mode !== 'system'}>
      <summary>{withProxy ? t('Network: custom CA, proxy') : t('Network: custom CA')}</summary>
      <Stack gap="sm" mt="xs">
        <Textarea
          label={t('Certificate authority (CA)')}
          description={
            kept === null
              ? t(
                  'PEM, for a master whose certificate your system does not trust. If set, this connection trusts only this CA.',
                )
              : t('Current: {authority}. Changing or removing it requires entering the token again.', {
                  authority: kept,
                })
          }
          placeholder={kept === null ? '-----BEGIN CERTIFICATE-----' : t('Not changed')}
          {...bindText(value.ca ?? '', (text) => onChange({ ...value, ca: text }))}
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
                {t('Load from file…')}
              </Button>
            )}
          </FileButton>
          {kept !== null && value.ca === null && (
            <Button variant="default" onClick={() => onChange({ ...value, ca: '' })}>
              {t('Use the system CAs')}
            </Button>
          )}
        </Group>
        {withProxy && (
          <div>
            <Box mb={4} fz="var(--text-normal)" fw={500}>
              {t('Proxy')}
            </Box>
            <SegmentedControl
              aria-label={t('Proxy')}
              value={mode}
              onChange={(next) => onChange({ ...value, proxy: next === 'own' ? 'http://' : next })}
              data={[
                { value: 'system', label: t('System proxy') },
                { value: 'direct', label: t('None') },
                { value: 'own', label: t('Custom proxy') },
              ]}
            />
          </div>
        )}
        {withProxy && mode === 'own' && (
          <TextInput
            label={t('Proxy URL')}
            description={t('http://host:port, https://, socks4:// or socks5://')}
            {...bindText(value.proxy, (text) => onChange({ ...value, proxy: text }))}
          />
        )}
      </Stack>
    </details>
  );
}
