import type { ProbeReport, ProbeStep } from '../../contract/ipc.ts';
import type { TunnelStep, Via } from '../../contract/tunnels.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import type { TunnelSpec } from '../connections/connections.ts';
import { openLink, type Agree } from './tunnels.ts';
import { createTunnel } from './tunnel.ts';

const STEPS: Readonly<Record<Via['kind'], readonly TunnelStep[]>> = {
  kubernetes: ['kubeconfig', 'cluster', 'release', 'secret', 'forward'],
  ssh: ['ssh', 'forward'],
};
/** Where a fault belongs whose step did not come to be reported. */
const STEP_OF: Readonly<Record<string, TunnelStep>> = {
  CONTEXT_NOT_FOUND: 'kubeconfig',
  CREDENTIALS_COMMAND_FAILED: 'kubeconfig',
  CREDENTIALS_COMMAND_REFUSED: 'kubeconfig',
  KUBECONFIG_INVALID: 'kubeconfig',
  KUBECONFIG_MISSING: 'kubeconfig',
  KUBERNETES_UNAUTHORIZED: 'cluster',
  KUBERNETES_UNREACHABLE: 'cluster',
  POD_NOT_READY: 'release',
  RELEASE_NOT_FOUND: 'release',
  SECRET_UNREADABLE: 'secret',
};
/** Steps of the test of a master that a tunnel has instead of its own. */
const REPLACED = ['address', 'dns', 'connect', 'tls'];
const PATIENCE_MS = 150_000;

/** Opens a tunnel of its own, step by step, and tests the master through it. Never rejects. */
export async function probeTunnel(
  spec: TunnelSpec,
  token: string | null,
  {
    agree,
    master,
    ssh,
  }: { agree: Agree; master(url: string, token: string | null): Promise<ProbeReport>; ssh?: readonly string[] },
): Promise<ProbeReport> {
  const order = STEPS[spec.via.kind].filter(
    (step) => step !== 'secret' || (spec.via.kind === 'kubernetes' && spec.via.access !== 'own'),
  );
  const done: ProbeStep[] = [];
  let fault: unknown = null;
  const tunnel = createTunnel({
    // One try is enough to say what is wrong.
    isLasting: () => true,
    async open(attempt) {
      try {
        return await openLink(spec, attempt, {
          agree,
          ask: true,
          ssh,
          report: (step, message) => void done.push({ step, state: 'ok', message }),
        });
      } catch (error) {
        fault = error;
        throw error;
      }
    },
  });
  try {
    tunnel.target();
    await tunnel.settled(PATIENCE_MS);
    const opened = tunnel.target();
    if (!opened) {
      const open = order.filter((step) => !done.some((one) => one.step === step));
      const failed = open.find((step) => step === STEP_OF[errorCode(fault) ?? '']) ?? open[0] ?? 'forward';
      const message = fault === null ? `not open within ${PATIENCE_MS / 1000} s` : errorMessage(fault);
      const steps = order.map((step): ProbeStep =>
        step === failed
          ? { step, state: 'failed', message }
          : (done.find((one) => one.step === step) ?? { step, state: 'skipped', message: 'not tested' }),
      );
      const rest = (['master', 'token', 'version'] as const).map((step): ProbeStep => ({
        step,
        state: 'skipped',
        message: 'not tested',
      }));
      return { ok: false, steps: [...steps, ...rest], version: null };
    }
    const { steps, version, ok } = await master(opened.url, opened.token ?? token);
    return { ok, version, steps: [...done, ...steps.filter(({ step }) => !REPLACED.includes(step))] };
  } finally {
    tunnel.close();
  }
}
