import type { Pipe } from '../../../../lib/logsql/ast.ts';
import { compileFilter } from '../filter/evaluate.ts';
import { pick } from '../mask.ts';
import { needsOf } from '../needs.ts';
import type { Run, Stage } from '../run-context.ts';
import { statsStage } from '../stats/stats.ts';
import { facetsStage, fieldNamesStage } from './fields.ts';
import { contextStage } from './context.ts';
import { extractRegexpStage, extractStage } from './extract.ts';
import { arrayLenStage, decolorizeStage, formatStage, lenStage, packStage, replaceStage } from './format.ts';
import { joinStage, unionStage } from './join.ts';
import { mathStage } from './math.ts';
import {
  copied,
  eachFrame,
  fits,
  limitStage,
  project,
  sampleStage,
  withoutEmptyRows,
  withoutFields,
} from './simple.ts';
import { sortStage } from './sort.ts';
import { unpackStage } from './unpack.ts';
import { unrollStage } from './unroll.ts';
import { fieldValuesStage, topStage, uniqStage } from './uniq.ts';

/** How a pipe does its work. `after`: the pipes that follow it. */
export function stageOf(pipe: Pipe, after: readonly Pipe[], run: Run): Stage {
  switch (pipe.kind) {
    case 'fields':
      return eachFrame((frame) => project(frame, pipe.names));
    case 'delete':
      return eachFrame((frame) =>
        withoutFields(
          frame,
          frame.names.filter((name) => pipe.names.some((pattern) => fits(pattern, name))),
        ),
      );
    case 'rename':
      return eachFrame((frame) => pipe.pairs.reduce((out, pair) => copied(out, pair, true), frame));
    case 'copy':
      return eachFrame((frame) => pipe.pairs.reduce((out, pair) => copied(out, pair, false), frame));
    case 'sample':
      return sampleStage(pipe.n);
    case 'drop_empty_fields':
      return eachFrame(withoutEmptyRows);
    case 'limit':
      return limitStage(0, pipe.n);
    case 'offset':
      return limitStage(pipe.n, null);
    case 'filter': {
      const matcher = compileFilter(pipe.filter, run.moment);
      return eachFrame((frame) => ({ ...frame, picked: pick(matcher(frame, null), frame.rows, frame.picked) }));
    }
    case 'stats':
      return statsStage(pipe, run);
    case 'sort':
      return sortStage(pipe, needsOf(after), run);
    case 'uniq':
      return uniqStage(pipe, run);
    case 'top':
      return topStage(pipe, run);
    case 'field_names':
      return fieldNamesStage(pipe, run);
    case 'field_values':
      return fieldValuesStage(pipe, run);
    case 'facets':
      return facetsStage(pipe, run);
    case 'unpack_json':
    case 'unpack_logfmt':
      return unpackStage(pipe, run);
    case 'extract':
      return extractStage(pipe, run);
    case 'extract_regexp':
      return extractRegexpStage(pipe, run);
    case 'format':
      return formatStage(pipe, run);
    case 'math':
      return mathStage(pipe, run);
    case 'replace':
    case 'replace_regexp':
      return replaceStage(pipe, run);
    case 'len':
      return lenStage(pipe, run);
    case 'json_array_len':
      return arrayLenStage(pipe, run);
    case 'decolorize':
      return decolorizeStage(pipe, run);
    case 'union':
      return unionStage(pipe, run);
    case 'join':
      return joinStage(pipe, run);
    case 'pack_json':
    case 'pack_logfmt':
      return packStage(pipe, run);
    case 'unroll':
      return unrollStage(pipe, run);
    case 'stream_context':
      return contextStage(pipe, run);
  }
}
