import { openPipeline, type PipelineOptions } from './pipeline.ts';

// A process with one pipeline, to be killed: says its port, and then how many lines it has accepted.
const pipeline = openPipeline(JSON.parse(process.argv[2] ?? '') as PipelineOptions, () => {});
const tell = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);
tell({ port: await pipeline.listen(0, false) });
setInterval(() => tell(pipeline.stats()), 2);
