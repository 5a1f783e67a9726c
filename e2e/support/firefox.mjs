#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * Stands for Firefox where a driver starts it: runs `YARDMASTER_E2E_FIREFOX` with the same arguments, and passes the driver's
 * connection on. It answers by itself the one command that the driver cannot do without and that Firefox ESR does not know
 * yet: which colour scheme pages shall prefer.
 */
const UNKNOWN = 'emulation.setMediaFeaturesOverride';
const LISTENS = /WebDriver BiDi listening on (ws:\S+)/;
const MOST_BYTES = 256 * 1024 * 1024;

const firefox = spawn(process.env['YARDMASTER_E2E_FIREFOX'] ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'pipe'],
});
firefox.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));
process.on('exit', () => firefox.kill('SIGKILL'));

let rest = '';
firefox.stderr.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const [, target] = LISTENS.exec(line) ?? [];
    if (target === undefined) process.stderr.write(`${line}\n`);
    else between(target);
  }
});

function between(target) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MOST_BYTES }, () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on('connection', (driver, request) => {
    const browser = new WebSocket(target + (request.url ?? ''), { perMessageDeflate: false, maxPayload: MOST_BYTES });
    const early = [];
    driver.on('message', (data) => {
      const text = data.toString();
      if (text.includes(UNKNOWN)) driver.send(JSON.stringify({ type: 'success', id: JSON.parse(text).id, result: {} }));
      else if (browser.readyState === WebSocket.OPEN) browser.send(text);
      else early.push(text);
    });
    browser.on('open', () => early.splice(0).forEach((text) => browser.send(text)));
    browser.on('message', (data) => driver.send(data.toString()));
    browser.on('error', (error) => process.stderr.write(`${error.message}\n`));
    driver.on('close', () => browser.close());
    browser.on('close', () => driver.close());
  });
}
