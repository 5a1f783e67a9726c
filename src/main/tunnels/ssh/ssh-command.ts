import { Fault } from '../../../lib/fault.ts';
import type { SshVia } from '../../../contract/tunnels.ts';

/** Of names and addresses; nothing that `ssh`, or the shell of a proxy's command, would take for more. */
const DESTINATION =
  /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\]?)$/;

/** The destination as it is kept, or a `Fault` SSH_ADDRESS_INVALID. */
export function parseDestination(text: string): string {
  const trimmed = text.trim();
  if (!DESTINATION.test(trimmed) || trimmed.length > 255)
    throw new Fault(
      'SSH_ADDRESS_INVALID',
      `expected host, user@host or a name of ~/.ssh/config, got "${text.slice(0, 100)}"`,
    );
  return trimmed;
}

/**
 * Arguments of `ssh` for a tunnel from `local` (a socket, or a port of loopback) to `host:port` as the server sees it. Nothing is
 * asked for: no terminal is there. The user's configuration holds in all else. Keys of hosts are checked, and none is added,
 * whatever it says; and a connection that is shared with others would keep the tunnel when this one ends.
 */
export function sshArguments(
  { destination, port }: Pick<SshVia, 'destination' | 'port'>,
  local: string,
  master: URL,
): string[] {
  const masterPort = master.port || (master.protocol === 'https:' ? '443' : '80');
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'UpdateHostKeys=no',
    'ExitOnForwardFailure=yes',
    'ControlMaster=no',
    'ControlPath=none',
    'ForwardAgent=no',
    'ForwardX11=no',
    'PermitLocalCommand=no',
    'RequestTTY=no',
    'ConnectTimeout=10',
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
    // How it tells that it is ready, and the fingerprint of an unknown host.
    'LogLevel=DEBUG1',
  ];
  return [
    '-N',
    ...options.flatMap((one) => ['-o', one]),
    ...(port === null ? [] : ['-p', String(port)]),
    '-L',
    `${local}:${master.hostname}:${masterPort}`,
    '--',
    destination,
  ];
}
