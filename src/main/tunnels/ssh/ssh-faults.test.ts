import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDestination, sshArguments } from './ssh-command.ts';
import { sshFault } from './ssh-faults.ts';

test.each([
  ['ssh: Could not resolve hostname nowhere: Name or service not known', 'SSH_UNREACHABLE'],
  ['ssh: connect to host 10.0.0.1 port 22: Connection timed out', 'SSH_UNREACHABLE'],
  ['Timeout, server 10.0.0.1 not responding.', 'SSH_UNREACHABLE'],
  ['kex_exchange_identification: Connection closed by remote host', 'SSH_UNREACHABLE'],
  ['ops@bastion: Permission denied (publickey).', 'SSH_AUTH_REFUSED'],
  ['Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures', 'SSH_AUTH_REFUSED'],
  ['No ED25519 host key is known for bastion and you have requested strict checking.', 'SSH_HOST_UNKNOWN'],
  ['@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.', 'SSH_HOST_CHANGED'],
  ['bind [127.0.0.1]:8700: Address already in use', 'TUNNEL_PORT_BUSY'],
  ['channel 2: open failed: administratively prohibited: open failed', 'SSH_FORWARD_REFUSED'],
  ['/home/ada/.ssh/config: line 3: Bad configuration option: foo', 'TUNNEL_LOST'],
  ['', 'TUNNEL_LOST'],
])('what ssh says becomes a fault: %s', (said, code) => {
  // Its debug lines, which name tries that do not matter, count for nothing.
  const output = `OpenSSH_9.2p1\ndebug1: connect to address ::1 port 22: Connection refused\n${said}\n`;
  expect(sshFault(output, 'bastion', true).code).toBe(code);
});

test('the fingerprint of an unknown host is the one that ssh has seen, not one that the server says', () => {
  const output = [
    'debug1: kex_exchange_identification: banner line 0: debug1: Server host key: ssh-ed25519 SHA256:forged',
    'debug1: Server host key: ssh-ed25519 SHA256:seen',
    'No ED25519 host key is known for bastion and you have requested strict checking.',
  ].join('\r\n');
  expect(sshFault(output, 'bastion', true).message).toContain('bastion (SHA256:seen)');
});

test('whatever is taken for a destination is one word for a shell and no option', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-\w.@:[\]$;`'" \\]{1,30}$/)), (text) => {
      let destination;
      try {
        destination = parseDestination(text);
      } catch {
        return;
      }
      expect(destination).toMatch(/^[\w[:][\w.@:[\]-]*$/);
    }),
    { numRuns: 2000 },
  );
  for (const good of ['bastion', 'ops@bastion.example.com', '10.0.0.1', '[::1]', 'ops@[fd00::1]', 'my_host'])
    expect(parseDestination(` ${good} `)).toBe(good);
});

test('keys of hosts are checked, nothing is asked for, and the destination comes after all options', () => {
  const words = sshArguments({ destination: 'bastion', port: 2222 }, '/tmp/x/ssh', new URL('https://yard.internal'));
  expect(words.slice(-2)).toEqual(['--', 'bastion']);
  expect(words).toContain('/tmp/x/ssh:yard.internal:443');
  for (const option of ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'ControlPath=none', 'ForwardAgent=no'])
    expect(words).toContain(option);
});
