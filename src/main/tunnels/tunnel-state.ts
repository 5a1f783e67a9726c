import { BACKOFF, backoffMs } from '../../lib/backoff.ts';
import { unreachable } from '../../lib/fault.ts';
import type { TunnelStatus } from '../../contract/tunnels.ts';

/**
 * What a tunnel does when. It is opened when somebody first asks for it. Lost once, it is opened again at once; lost or failed
 * again before it was open for a while, after ever longer waits. A failure that no waiting mends stays until somebody asks again.
 *
 * idle ─ask→ connecting ─opened→ open ─lost→ connecting | waiting ─due→ connecting
 *                     └─failed→ waiting | failed (lasting) ─retry→ connecting
 */
export type TunnelState =
  | { readonly name: 'idle' | 'closed' }
  | { readonly name: 'connecting'; readonly failures: number; readonly message: string | null }
  | { readonly name: 'open'; readonly failures: number; readonly through: string }
  | { readonly name: 'waiting'; readonly failures: number; readonly message: string }
  | { readonly name: 'failed'; readonly message: string };

export type TunnelEvent =
  /** A request wants to go through it. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'opened'; readonly through: string }
  /** Open for so long that a loss is no failure to open. */
  | { readonly kind: 'steady' }
  /** `lasting`: somebody must do something first. */
  | { readonly kind: 'failed'; readonly message: string; readonly lasting: boolean }
  | { readonly kind: 'lost'; readonly message: string }
  /** The wait is over. */
  | { readonly kind: 'due' }
  /** Somebody wants it anew, now. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'close' };

export type TunnelEffect = { readonly kind: 'connect' } | { readonly kind: 'wait'; readonly ms: number } | null;

export interface TunnelStep {
  readonly state: TunnelState;
  readonly effect: TunnelEffect;
}

export const IDLE: TunnelState = { name: 'idle' };

/** What is not foreseen in a state changes nothing: events of an attempt that was given up may come late. */
export function nextTunnel(state: TunnelState, event: TunnelEvent): TunnelStep {
  const stay: TunnelStep = { state, effect: null };
  if (state.name === 'closed') return stay;
  switch (event.kind) {
    case 'close':
      return { state: { name: 'closed' }, effect: null };
    case 'retry':
      return connect(0, null);
    case 'ask':
      return state.name === 'idle' ? connect(0, null) : stay;
    case 'due':
      return state.name === 'waiting' ? connect(state.failures, state.message) : stay;
    case 'opened':
      return state.name === 'connecting'
        ? { state: { name: 'open', failures: state.failures, through: event.through }, effect: null }
        : stay;
    case 'steady':
      return state.name === 'open' ? { state: { ...state, failures: 0 }, effect: null } : stay;
    case 'failed':
      if (state.name !== 'connecting') return stay;
      if (event.lasting) return { state: { name: 'failed', message: event.message }, effect: null };
      return wait(state.failures + 1, event.message);
    case 'lost':
      if (state.name !== 'open') return stay;
      return state.failures === 0 ? connect(1, event.message) : wait(state.failures + 1, event.message);
    default:
      return unreachable(event);
  }
}

const connect = (failures: number, message: string | null): TunnelStep => ({
  state: { name: 'connecting', failures, message },
  effect: { kind: 'connect' },
});

const wait = (failures: number, message: string): TunnelStep => ({
  state: { name: 'waiting', failures, message },
  effect: { kind: 'wait', ms: backoffMs(BACKOFF.tunnel, failures) },
});

export const tunnelStatus = (state: TunnelState): TunnelStatus => ({
  state: state.name === 'closed' ? 'idle' : state.name,
  message: 'message' in state ? state.message : null,
  through: state.name === 'open' ? state.through : null,
});
