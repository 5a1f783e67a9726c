import { WebSocket } from 'ws';
import type { FloorLease, FloorReport } from './master.ts';

/** The worker of the floor: two steps in plain JavaScript, a frame of results for each frame of leases. */
const socket = new WebSocket(process.argv[2] as string, { perMessageDeflate: false });
socket.on('message', (frame: Buffer) => {
  const reports = (JSON.parse(frame.toString()) as FloorLease[]).map(({ job, tasks, input }): FloorReport => {
    const upper = { content: (input as { content: string }).content.toUpperCase() };
    return { job, tasks, outputs: [JSON.stringify(upper), JSON.stringify(`${upper.content}!`)] };
  });
  socket.send(JSON.stringify(reports));
});
socket.on('close', () => process.exit(0));
process.stdin.on('end', () => process.exit(0)).resume();
