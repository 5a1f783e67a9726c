/** Ways to start a worker, each as what is pasted and run, in this order. */
export const START_WAYS = ['shell', 'node', 'docker', 'systemd'] as const;
export type StartWay = (typeof START_WAYS)[number];

/** A master that is reached at this machine alone. */
export function isLocalMaster(url: string): boolean {
  try {
    return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
  } catch {
    return false;
  }
}

export function startCommands(url: string, token: string): Readonly<Record<StartWay, readonly string[]>> {
  // In a container, this machine is the container itself.
  const network = isLocalMaster(url) ? ' --network host' : '';
  return {
    shell: [`YARDMASTER_WORKER_TOKEN=${token} yardmaster worker --master ${url} --capacity 8`],
    node: [
      `import { createWorker } from 'yardmaster/worker';

const worker = createWorker({
  master: '${url}',
  handlers: {
    hello: async (input, ctx) => {
      ctx.log('info', 'said hello', { name: input.name });
      return { greeting: \`Hello \${input.name}\` };
    },
  },
});
await worker.ready;
`,
      `YARDMASTER_WORKER_TOKEN=${token} node worker.mjs`,
    ],
    docker: [
      `docker run --detach --restart unless-stopped --read-only --tmpfs /tmp --init --stop-timeout 60${network} \\
  -e YARDMASTER_WORKER_TOKEN=${token} \\
  yardmaster:local worker --master ${url} --capacity 8`,
    ],
    systemd: [
      `sudo install -d -m 700 /etc/yardmaster
echo ${token} | sudo install -m 600 /dev/stdin /etc/yardmaster/worker-token
echo YARDMASTER_MASTER=${url} | sudo tee /etc/yardmaster/worker.env
sudo systemctl enable --now yardmaster-worker`,
    ],
  };
}
