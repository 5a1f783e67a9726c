import { expect, test, vi } from 'vitest';
import type { Confirm } from '../window/confirm-dialog.ts';
import { createAgreement } from './agreement.ts';

const command = { text: "aws eks get-token --cluster 'my yard'", whole: '["aws"]' };
function world(answer: boolean) {
  const agreed = new Set<string>();
  const confirm = vi.fn<Confirm>(() => Promise.resolve(answer));
  const connections = { isAgreed: (one: string) => agreed.has(one), agree: (one: string) => void agreed.add(one) };
  return { agree: createAgreement(connections, confirm), confirm };
}

test('a command is run only after somebody agreed in a window of the system, which is asked once', async () => {
  const { agree, confirm } = world(true);
  await expect(agree(command, '/kube', false)).rejects.toMatchObject({ code: 'CREDENTIALS_COMMAND_REFUSED' });
  expect(confirm).not.toHaveBeenCalled();
  await agree(command, '/kube', true);
  expect(confirm).toHaveBeenCalledWith(
    expect.objectContaining({ detail: expect.stringContaining("aws eks get-token --cluster 'my yard'") }),
  );
  await agree(command, '/kube', false);
  expect(confirm).toHaveBeenCalledOnce();
  // Another one, by the same name.
  await expect(agree({ ...command, whole: '["aws","-x"]' }, '/kube', false)).rejects.toThrow(/not agreed to/);
});

test('who does not agree has it refused, and is asked again the next time', async () => {
  const { agree, confirm } = world(false);
  for (let i = 0; i < 2; i++) await expect(agree(command, '/kube', true)).rejects.toThrow(/not agreed to: aws/);
  expect(confirm).toHaveBeenCalledTimes(2);
});
