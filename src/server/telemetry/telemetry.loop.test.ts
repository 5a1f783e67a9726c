import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { freePort } from '../../../scripts/lib/postgres.mjs';
import { portOf } from '../../lib/listen-on-port.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';
import { targetAt, tracesTo } from './otlp-receiver.fixture.ts';

const WAIT = { interval: 20 };
const PATH = '/insert/opentelemetry/v1/logs';
const logsTo = (url: string) => tracesTo('', { traces: null, logs: targetAt('', 'logs', { url, encoding: 'json' }) });

it('a master does not start whose log lines would go to its own log port', async () => {
  const port = await freePort();
  const options = { data: temporaryFolder('loop'), logStorePort: port };
  await expect(openMaster({ ...options, otlp: logsTo(`http://localhost:${port}${PATH}`) })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('the log port of this master'),
  });
  // It left nothing behind that is in the way.
  await (await openMaster(options)).close();
});

it('log lines that come back from a receiver are kept, and not exported again', async () => {
  const exported: string[] = [];
  let logPort = 0;
  const relay = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      for (const [line = ''] of body.matchAll(/line-\d+/g)) exported.push(line);
      const headers = { 'content-type': 'application/json' };
      await fetch(`http://127.0.0.1:${logPort}${PATH}`, { method: 'POST', headers, body });
      response.end('{}');
    })();
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const master = await openMaster({
    data: temporaryFolder('loop'),
    otlp: logsTo(`http://127.0.0.1:${portOf(relay)}/v1/logs`),
  });
  logPort = master.ready.ports.logStore ?? 0;
  const url = `http://127.0.0.1:${logPort}`;
  let sent = 0;
  const send = () => {
    const line = { _time: new Date().toISOString(), _msg: `line-${++sent}` };
    return fetch(`${url}/insert/jsonline`, { method: 'POST', body: JSON.stringify(line) });
  };
  const returned = async () => {
    const answer = await fetch(`${url}/select/logsql/query?query=service.name:=yardmaster&limit=1000`);
    return (await answer.text()).split('\n').filter((line) => line !== '').length;
  };
  // What came back lies before the lines that are sent after it, and would be exported before them.
  for (let round = 0; round < 3; round++) {
    const before = await returned();
    await vi.waitFor(async () => {
      await send();
      expect(await returned()).toBeGreaterThan(before);
    }, WAIT);
  }
  expect(exported.toSorted()).toEqual([...new Set(exported)].toSorted());
  await master.close();
  relay.closeAllConnections();
  await new Promise((resolve) => relay.close(resolve));
});
