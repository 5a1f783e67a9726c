import { spawn } from 'node:child_process';

/** A virtual display of our own, on a free number: `{name, close}`. Tests never draw on the user's screen. */
export function openDisplay() {
  return new Promise((resolve, reject) => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    let words = '';
    server.stderr.on('data', (chunk) => (words += chunk));
    server.once('error', (error) => reject(new Error(`could not start Xvfb: ${error.message}`)));
    server.once('exit', (code) => reject(new Error(`Xvfb exited (code ${code}): ${words.trim()}`)));
    server.stdio[3].once('data', (number) =>
      resolve({ name: `:${String(number).trim()}`, close: () => server.kill('SIGTERM') }),
    );
    process.once('exit', () => server.kill('SIGKILL'));
  });
}
