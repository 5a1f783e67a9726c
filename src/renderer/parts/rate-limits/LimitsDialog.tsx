import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { RateLimits } from '../../../contract/rate-limits.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { useFocusBack } from '../../ui/focus-back.ts';

/** How many event calls a second a key or workflow may take, and how many of its tasks may run at once. */
export function LimitsDialog({ title, limits, onSave, onClose }: { title: string; limits: RateLimits; onSave(limits: RateLimits): Promise<void>; onClose(): void }): ReactNode {
  useFocusBack(true);
  const [rate, setRate] = useState<number | string>(limits.eventsPerSecond ?? '');
  const [most, setMost] = useState<number | string>(limits.concurrency ?? '');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSave({ eventsPerSecond: rate === '' ? null : Number(rate), concurrency: most === '' ? null : Number(most) });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          <NumberInput label="Event calls a second" description="More are refused with 429. Bursts of a second's worth are let through." placeholder="No limit" min={0.001} max={1_000_000} decimalScale={3} value={rate} onChange={setRate} data-autofocus />
          <NumberInput label="Tasks at once" description="More wait in the queue." placeholder="No limit" min={1} max={1_000_000} allowDecimal={false} value={most} onChange={setMost} />
          <Text size="sm" c="dimmed">
            An empty field is no limit. A change holds at once.
          </Text>
          <ErrorLine error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** '10 calls/s, 4 tasks at once', or null where there is no limit. */
export function limitsWords({ eventsPerSecond, concurrency }: RateLimits): string | null {
  const parts = [...(eventsPerSecond === null ? [] : [`${formatCount(eventsPerSecond)} ${eventsPerSecond === 1 ? 'call' : 'calls'}/s`]), ...(concurrency === null ? [] : [concurrency === 1 ? '1 task at once' : `${formatCount(concurrency)} tasks at once`])];
  return parts.length === 0 ? null : parts.join(', ');
}
