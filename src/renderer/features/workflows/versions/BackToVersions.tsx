import { Button } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { t } from '../../../../lib/language.ts';

export const BackToVersions = ({ onBack }: { onBack: () => void }) => (
  <Button variant="default" leftSection={<IconChevronLeft size={14} aria-hidden="true" />} onClick={onBack}>
    {t('All versions')}
  </Button>
);
