import { Fault } from '../../../lib/fault.ts';

/** Its last words for people, without those of its debug level. */
export const spoken = (output: string): string[] =>
  output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(debug\d:|OpenSSH_|@+|\*\*)/.test(line));

/** Why `ssh` ended, from what it wrote, and what to do. */
export function sshFault(output: string, destination: string, hasAgent: boolean): Fault {
  const words = spoken(output);
  const said = words.join(' ');
  const last = words.at(-1) ?? 'it said nothing';
  if (/HOST IDENTIFICATION HAS CHANGED/.test(output))
    return new Fault(
      'SSH_HOST_CHANGED',
      `the host key of ${destination} has changed: somebody may be in between. Ask its operator; if the change is right, remove the old key with ssh-keygen -R and run ssh ${destination} in a terminal`,
    );
  if (/Host key verification failed|No \S+ host key is known/.test(said)) {
    // Only at the beginning of a line: a server may say such words itself before its key is asked for.
    const fingerprint = /(?:^|\n)debug1: Server host key: \S+ (SHA256:\S+)/.exec(output)?.[1];
    return new Fault(
      'SSH_HOST_UNKNOWN',
      `the host key of ${destination}${fingerprint ? ` (${fingerprint})` : ''} is not in your known hosts: run ssh ${destination} in a terminal once, and compare the fingerprint with the one that its operator gives`,
    );
  }
  if (/Permission denied|Too many authentication failures|No more authentication methods/.test(said))
    return new Fault(
      'SSH_AUTH_REFUSED',
      hasAgent
        ? `${destination} refuses your keys (${last}): load the right one with ssh-add, or set User and IdentityFile in ~/.ssh/config. Passwords are not asked for`
        : `${destination} refuses access (${last}), and no SSH agent runs (SSH_AUTH_SOCK is not set): start one and load your key with ssh-add, or use a key without a passphrase`,
    );
  if (/Address already in use|cannot listen to port|bind \[/.test(said))
    return new Fault(
      'TUNNEL_PORT_BUSY',
      `ssh could not open a local port (${last}): check LocalForward for ${destination} in ~/.ssh/config`,
    );
  if (/administratively prohibited|forwarding (failed|request failed)|Could not request/.test(said))
    return new Fault(
      'SSH_FORWARD_REFUSED',
      `${destination} does not allow forwarding (${last}): its operator allows it with AllowTcpForwarding and PermitOpen`,
    );
  if (
    /Could not resolve|Connection (refused|closed|reset|timed out)|timed out|No route|unreachable|not responding|kex_exchange/.test(
      said,
    )
  )
    return new Fault('SSH_UNREACHABLE', `could not reach ${destination} by SSH: ${last}`);
  return new Fault('TUNNEL_LOST', `ssh to ${destination} ended: ${last}`);
}
