import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { INCIDENT_ENDING } from '../../../contract/incident.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { saveDownload } from '../../download.ts';

/** `jobs bundle`: one file with all that is known of a run, for people who cannot reach the master. */
export function bundleCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'bundle <job>',
    'write an incident bundle: one file with a job, its tasks, logs, metrics and version, without secrets',
    async ({ api, show }, { output, payloads }: { output?: string; payloads?: boolean }, job) => {
      const id = job;
      const file = output ?? `job-${id.replace(/[^\w-]/g, '')}${INCIDENT_ENDING}`;
      if (existsSync(file))
        throw new Fault('FILE_EXISTS', `${file} already exists: choose another file name with --output`);
      const bytes = await saveDownload(
        await api.download('jobs.incidentBundle', {
          params: { jobId: id },
          query: { payloads: payloads === false ? false : undefined },
        }),
        file,
      );
      show({ file, bytes }, () => [
        `${bytes} bytes written to ${file}`,
        'Open it in any console with "Open incident bundle", or extract it with tar xzf.',
      ]);
    },
  );
  option(command, io, '-o, --output <file>', `output file (default: job-<id>${INCIDENT_ENDING})`);
  option(command, io, '--no-payloads', 'exclude inputs and outputs');
}
